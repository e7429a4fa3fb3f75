import type { CutPoint, Message } from '../../model/index.ts';
import { isSaid } from './is-said.ts';
import { messageTokens } from './message-tokens.ts';

/** A part to be kept may begin with what a person or the model said; results belong to the calls before them. */
function mayBegin(message: Message): boolean {
  return message.role !== 'tool' && isSaid(message);
}

/** Reminders do not count: what of them still holds is given anew anyway. */
function ownTokens(message: Message): number {
  return isSaid(message) ? messageTokens(message) : 0;
}

/** What was said, called and answered, in tokens. */
export function saidTokens(history: readonly Message[]): number {
  return history.reduce((sum, message) => sum + ownTokens(message), 0);
}

/** The first prompt after everything that the model said; the length where it has had the last word. */
function unanswered(history: readonly Message[]): number {
  const answered = history.findLastIndex(({ role }) => role !== 'user');
  const at = history.findIndex((message, index) => index > answered && mayBegin(message));
  return at < 0 ? history.length : at;
}

/** Whether a summary of these messages would say anything that is not given anew anyway. */
function isWorthIt(messages: readonly Message[]): boolean {
  return messages.some(isSaid);
}

/**
 * Where the newest part begins that stays word for word: as much as fits into `keepTokens`, from a place that splits no
 * call from its result. Where even the last answer is larger, nothing stays; a prompt that waits for its answer always
 * does. Null: there is nothing before it that a summary could stand for.
 */
export function cutPoint(history: readonly Message[], keepTokens: number): CutPoint | null {
  let at = history.length;
  let tokens = 0;
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const message = history[index];
    if (message === undefined) break;
    tokens += ownTokens(message);
    if (tokens > keepTokens) break;
    if (mayBegin(message)) at = index;
  }
  const cut = Math.min(at, unanswered(history));
  return isWorthIt(history.slice(0, cut)) ? { at: cut } : null;
}
