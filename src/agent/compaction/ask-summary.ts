import { layoutText } from '../../instructions/index.ts';
import { ModelError, type SummaryRequest, type TransientEvent, textOf } from '../../model/index.ts';
import type { ActiveModel, AgentParts } from '../parts.ts';
import { readAnswer } from '../read-answer.ts';

/** Times that a request for a summary is sent again after its stream broke off. */
const MAX_LOST_STREAMS = 2;

export type SummaryScope = {
  parts: AgentParts;
  model: ActiveModel;
  effort: string | null;
  signal: AbortSignal;
  emit(event: TransientEvent): void;
};

/**
 * One request by itself, without tools, logged as any other; its answer is no part of the conversation. Throws
 * ModelError, also for an answer without a word.
 */
export async function askSummary({ system, text }: SummaryRequest, scope: SummaryScope): Promise<string> {
  const { parts, model, effort } = scope;
  const { log, harness } = parts;
  const { port } = model;
  const wire = harness.wires[port.info.wire];
  if (!wire.accepted) throw new ModelError('internal', wire.error);
  const state = log.state();
  const request = port.prepare({
    sessionId: state.id,
    purpose: 'compaction',
    system: layoutText(system),
    messages: [{ role: 'user', event: state.leaf ?? '', from: 'user', parts: [{ type: 'text', text }], alone: false }],
    tools: [],
    shape: wire.shape,
    ...(effort === null ? {} : { effort }),
    media: () => undefined,
  });
  const { provider, id } = port.info;
  const event = log.recordRequest(
    {
      purpose: 'compaction',
      harness: harness.name,
      wire: port.info.wire,
      provider,
      model: id,
      ...(effort === null ? {} : { effort }),
      system: log.toLayout(system),
      tools: [],
    },
    request.body,
  );
  for (let attempt = 1; ; attempt += 1) {
    // The words of a summary are no answer to anybody: they are not shown as one.
    const answer = await readAnswer(request.send(scope.signal), (shown) => showWait(shown, scope), scope.signal);
    const { error, stop, usage } = answer;
    if (error === undefined) {
      log.append({ type: 'assistant', request: event.id, parts: answer.parts, stop, usage });
      const summary = textOf(answer.parts).trim();
      if (summary === '') throw new ModelError('malformed', 'the model wrote no summary');
      return summary;
    }
    const again = error.isRetryable && answer.begun && !scope.signal.aborted && attempt <= MAX_LOST_STREAMS;
    if (!again) throw error;
  }
}

function showWait(event: TransientEvent, { emit }: SummaryScope): void {
  if (event.type === 'retry-wait') emit(event);
}
