import { layoutText } from '../../instructions/index.ts';
import type { ProviderState } from '../../model/index.ts';
import { readAnswer } from '../read-answer.ts';
import type { SummaryScope } from './ask-summary.ts';
import type { CompactionRun } from './compact.ts';

/**
 * A state that stands for the whole conversation, from a server that makes conversations shorter itself; null where
 * this one does not, or gave none. Throws ModelError.
 */
export async function askState({ turn, system }: CompactionRun, scope: SummaryScope): Promise<ProviderState | null> {
  const { parts, model, effort, signal } = scope;
  const { log, harness } = parts;
  const { port } = model;
  const { wire, provider, id } = port.info;
  const shape = harness.wires[wire];
  if (port.compacts !== true || !shape.accepted) return null;
  const request = port.prepare({
    sessionId: log.id,
    purpose: 'compaction',
    native: true,
    system: layoutText(system),
    messages: turn.session.history,
    tools: turn.tools,
    shape: shape.shape,
    ...(effort === null ? {} : { effort }),
    media: (sha256) => log.media(sha256),
  });
  const asked = { purpose: 'compaction', harness: harness.name, wire, provider, model: id } as const;
  const event = log.recordRequest(
    { ...asked, ...(effort === null ? {} : { effort }), system: log.toLayout(system), tools: [] },
    request.body,
  );
  const { error, stop, usage, opaque, parts: said } = await readAnswer(request.send(signal), () => undefined, signal);
  if (error !== undefined) throw error;
  log.append({ type: 'assistant', request: event.id, parts: said, stop, usage });
  return opaque ?? null;
}
