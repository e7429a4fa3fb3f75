import {
  type Call,
  type CallPart,
  callKey,
  canonicalArguments,
  isCall,
  type Message,
  type Part,
  type Turn,
} from '../../model/index.ts';

/** The same call in so many steps in a row: reminded, told with what it was, told to stop; the turn ends. */
const REMINDED = 3;
const NAMED = 5;
const LAST_WORD = 8;
/** spec/kimi-cli.md 18. */
export const ENDS_TURN = 12;

function isOfPerson(message: Message): boolean {
  return message.role === 'user' && message.from !== 'reminder' && message.from !== 'summary';
}

/** The calls of each step since the last thing that a person said, the newest first. */
function stepsOf(history: readonly Message[]): CallPart[][] {
  const from = history.findLastIndex(isOfPerson);
  return history
    .slice(from + 1)
    .flatMap((message) => (message.role === 'assistant' ? [message.parts.filter(isCall)] : []))
    .filter((calls) => calls.length > 0)
    .reverse();
}

/** Answers with calls since the last thing that a person said. */
export function stepCount({ session }: Turn): number {
  return stepsOf(session.history).length;
}

/** Steps in a row, the newest among them, that held this call. */
function rowOf(key: string, steps: readonly CallPart[][]): number {
  const other = steps.findIndex((calls) => !calls.some((call) => callKey(call) === key));
  return other === -1 ? steps.length : other;
}

/** How often in a row the call that is the last step's has been made; the greatest of them. */
export function longestRow({ session }: Turn): number {
  const steps = stepsOf(session.history);
  return Math.max(0, ...(steps[0] ?? []).map((call) => rowOf(callKey(call), steps)));
}

/** `given`: the arguments as received. */
function reminder(name: string, given: string, times: number): string {
  const what = `<repeated_times>${times}</repeated_times>\n<tool>${name}</tool>\n<arguments>${canonicalArguments(given)}</arguments>`;
  if (times >= LAST_WORD) {
    return `You have made the very same call ${times} times in a row:\n${what}\nStop calling tools now. Answer in text: what was reached, what stands in the way, and what you would do next.`;
  }
  if (times >= NAMED) {
    return `This is the same call again, with the same arguments:\n${what}\nIts result will not change. Say to yourself what you expected of it, and take another way.`;
  }
  return 'You have made this call several times in a row with the same arguments. Look at the results that you have before you make it again.';
}

/** The result of a call that was made again and again, with a word on that behind its output. */
export function withRepeatReminder(call: Pick<Call, 'name'>, given: string, parts: Part[], turn: Turn): Part[] {
  const times = rowOf(callKey({ name: call.name, arguments: given }), stepsOf(turn.session.history)) + 1;
  if (times < REMINDED) return parts;
  const text = `<system-reminder>\n${reminder(call.name, given, times)}\n</system-reminder>`;
  const last = parts.findLastIndex((part) => part.type === 'text');
  const before = parts[last];
  if (before?.type !== 'text') return [...parts, { type: 'text', text }];
  return parts.with(last, { type: 'text', text: `${before.text}\n\n${text}` });
}
