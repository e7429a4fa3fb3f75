import { printable } from '../base/index.ts';
import type { Harness } from '../harness/contract/index.ts';
import { makePiece } from '../instructions/index.ts';
import type { Reminder } from '../model/index.ts';

/**
 * Tells the model that its answer ended inside its calls, and what to do instead. `lost`: the connection ended there,
 * without a word of the limit.
 */
export function outputLimitReminder(names: readonly string[], lost: boolean, harness: Harness): Reminder {
  const cut = lost
    ? 'Your last reply broke off, as replies do at the output limit or when a connection is lost,'
    : 'Your last reply was cut off by the output limit';
  const piece = makePiece({
    id: 'notice/output-limit',
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'An answer that the output limit cut inside a tool call is not run; the model is told so.',
    text: `${cut} before its tool calls (${names.join(', ')}) were complete. None of them was run. Do the same in smaller pieces: several shorter calls, each in a reply of its own.`,
  });
  return { reason: 'output-limit', layout: harness.notice(piece) };
}

/** Tells the model where a person went. */
export function workingDirectoryReminder(cwd: string, harness: Harness): Reminder {
  const piece = makePiece({
    id: 'notice/working-directory',
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'Where the user enters or leaves a directory, the model is told so at once.',
    text: `The working directory is now ${printable(cwd, 4096)}; relative paths start there.`,
  });
  return { reason: 'cwd_changed', layout: harness.notice(piece) };
}

/** Begins the conversation in which an approved plan is carried out. */
export function planTakenReminder(harness: Harness): Reminder {
  const piece = makePiece({
    id: 'notice/plan-approved',
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'Where the user approves a plan for a new conversation, that conversation begins with the plan and the word to carry it out.',
    text: 'The user has approved the plan above. Carry it out from its first step to its last. The conversation in which it was made is not shown to you.',
  });
  return { reason: 'plan-approved', layout: harness.notice(piece) };
}

/** Tells a subagent that ended its turn without giving its result. */
export function noResultReminder(exitTool: string, harness: Harness): Reminder {
  const piece = makePiece({
    id: 'notice/no-result',
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'A subagent that ends its turn without giving its result is told to give it.',
    text: `Nothing that you write reaches your caller but what you give to ${exitTool}. Call it now: with the result, or with what is known and what stood in the way.`,
  });
  return { reason: 'no-result', layout: harness.notice(piece) };
}

/** Asks a subagent whose last text is its result to say more. */
export function shortResultReminder(words: string, harness: Harness): Reminder {
  const piece = makePiece({
    id: 'notice/short-result',
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'A subagent whose last text is very short is asked once to say it more fully.',
    text: words,
  });
  return { reason: 'short-result', layout: harness.notice(piece) };
}
