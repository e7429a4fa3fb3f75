import type { Laid, Part } from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import { layoutPart } from '../session/index.ts';
import type { Executor } from '../tools/contract/index.ts';
import type { Admitted } from './admit-call.ts';
import { type CallOutcome, type CallScope, failed, maskPart } from './call-outcome.ts';
import { answerNeeds } from './compose-turn.ts';
import { TurnError } from './error.ts';

/** Stands for the executor of calls that the harness answers itself: they touch nothing but the session. */
export const ANSWERED_BY_HARNESS: Executor<unknown, unknown> = {
  name: 'harness',
  effect: 'none',
  subjects: () => [],
  run: () => Promise.reject(new TurnError('turn/tool-missing', 'a call that the harness answers has no executor')),
};

/** The result of such a call: its text with the pieces that it is made of. */
export async function invokeHarness({ call, face }: Admitted, scope: CallScope): Promise<CallOutcome> {
  const { parts, turn } = scope;
  const { harness, log, mask } = parts;
  const { invoke } = harness;
  if (invoke === undefined) {
    throw new TurnError('turn/tool-missing', `harness "${harness.name}" offers ${call.name} and cannot answer it`);
  }
  const { answer } = await answerNeeds((current) => invoke(call, current), turn, parts);
  if ('failure' in answer) return failed(answer.failure, face, scope);
  return {
    parts: [maskPart(laidPart(answer.layout, log), mask.keys)],
    status: 'ok',
    observed: [],
    events: answer.events ?? [],
  };
}

function laidPart(laid: Laid, log: SessionLog): Part {
  const part = layoutPart(log.toLayout(laid), { piece: (ref) => log.piece(ref), event: (id) => log.event(id) });
  return part ?? { type: 'text', text: '' };
}
