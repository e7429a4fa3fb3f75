import { layoutText } from '../../instructions/index.ts';
import { type Laid, ModelError, type ModelRequest, type TransientEvent } from '../../model/index.ts';
import type { ActiveModel, AgentParts } from '../parts.ts';
import { readAgain } from '../read-again.ts';
import type { Answer } from '../read-answer.ts';

/** Times that such a request is sent again after its stream broke off. */
const MAX_LOST_STREAMS = 2;

export type ApartScope = {
  parts: AgentParts;
  model: ActiveModel;
  effort: string | null;
  signal: AbortSignal;
  emit(event: TransientEvent): void;
};

/** What such a request holds beside what the session says. */
export type ApartRequest = { system: Laid } & Pick<ModelRequest, 'messages' | 'tools' | 'native'>;

/**
 * One request by itself on the way to a boundary, logged as any other; its answer is no part of the conversation, so
 * that nothing of it is shown but waits. Throws ModelError.
 */
export async function askApart({ system, ...asked }: ApartRequest, scope: ApartScope): Promise<Answer> {
  const { parts, model, effort, signal } = scope;
  const { log, harness } = parts;
  const { port } = model;
  const { provider, id, wire } = port.info;
  const accepted = harness.wires[wire];
  if (!accepted.accepted) throw new ModelError('internal', accepted.error);
  const thought = effort === null ? {} : { effort };
  const request = port.prepare({
    sessionId: log.id,
    purpose: 'compaction',
    ...(log.header.spawnedBy === null ? {} : { agent: log.header.spawnedBy.agent }),
    system: layoutText(system),
    ...asked,
    shape: accepted.shape,
    ...thought,
    media: (sha256) => log.media(sha256),
  });
  const fields = { purpose: 'compaction', harness: harness.name, wire, provider, model: id, ...thought } as const;
  const event = log.recordRequest({ ...fields, system: log.toLayout(system), tools: [] }, request.body);
  const emit = (shown: TransientEvent): void => {
    if (shown.type === 'retry-wait') scope.emit(shown);
  };
  const answer = await readAgain(request, { parts, port, signal, emit }, MAX_LOST_STREAMS);
  if (answer.error !== undefined) throw answer.error;
  const { stop, usage } = answer;
  log.append({ type: 'assistant', request: event.id, parts: answer.parts, stop, usage });
  return answer;
}
