import { layoutText } from '../instructions/index.ts';
import type { PreparedRequest } from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import { toToolSpec } from './narrow-tools.ts';
import type { AgentParts } from './parts.ts';
import type { Prepared } from './submission.ts';

/** The wire's error for this harness, or null where they go together. */
export function wireError(parts: AgentParts): string | null {
  const wire = parts.harness.wires[parts.model.port.info.wire];
  return wire.accepted ? null : wire.error;
}

/** Encodes the next request from the log's history. Real requests and previews both come through here. */
export function prepareRequest(parts: AgentParts, log: SessionLog, prepared: Prepared): PreparedRequest {
  const { port } = prepared.model;
  const wire = parts.harness.wires[port.info.wire];
  const state = log.state();
  return port.prepare({
    sessionId: state.id,
    purpose: 'turn',
    ...(state.header.spawnedBy === null ? {} : { agent: state.header.spawnedBy.agent }),
    system: layoutText(prepared.composition.system),
    messages: state.history,
    tools: prepared.faces.map(toToolSpec),
    // An unaccepted wire was refused when the agent was put together; a preview still shows something readable.
    shape: wire.accepted ? wire.shape : { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false },
    ...(prepared.effort === null ? {} : { effort: prepared.effort }),
    media: (sha256) => log.media(sha256),
  });
}
