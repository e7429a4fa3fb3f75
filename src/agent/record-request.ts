import type { Laid, Layout, PreparedRequest, RequestEvent } from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import type { AgentParts } from './parts.ts';
import type { Prepared } from './submission.ts';

/** Logs a request before it is sent: its exact body, and which piece each stretch of its instructions is. */
export function recordRequest(parts: AgentParts, prepared: Prepared, request: PreparedRequest): RequestEvent {
  const { log } = parts;
  const { provider, id, wire } = prepared.model.port.info;
  const { system } = prepared.composition;
  const [ofSystem = [], ...ofTools] = toLayouts(log, [system, ...prepared.faces.map(({ description }) => description)]);
  return log.recordRequest(
    {
      purpose: 'turn',
      harness: parts.harness.name,
      wire,
      provider,
      model: id,
      ...(prepared.effort === null ? {} : { effort: prepared.effort }),
      system: ofSystem,
      tools: prepared.faces.map(({ name }, index) => ({ name, description: ofTools[index] ?? [] })),
    },
    request.body,
  );
}

/** All of them in one write to the log, which a first request would else make for each tool. */
function toLayouts(log: SessionLog, texts: readonly Laid[]): Layout[] {
  const whole = log.toLayout(texts.flat());
  let at = 0;
  return texts.map(({ length }) => {
    at += length;
    return whole.slice(at - length, at);
  });
}
