import type { Harness } from '../harness/contract/index.ts';
import { makePiece } from '../instructions/index.ts';
import type { Reminder } from '../model/index.ts';

/** Tells the model that its answer ended inside its calls, and what to do instead. */
export function outputLimitReminder(names: readonly string[], harness: Harness): Reminder {
  const piece = makePiece({
    id: 'notice/output-limit',
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'An answer that the output limit cut inside a tool call is not run; the model is told so.',
    text: `Your last reply was cut off by the output limit before its tool calls (${names.join(', ')}) were complete. None of them was run. Do the same in smaller pieces: several shorter calls, each in a reply of its own.`,
  });
  return { reason: 'output-limit', layout: harness.notice(piece) };
}
