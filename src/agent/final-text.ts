import { isText, type Message } from '../model/index.ts';

export type FinalAnswer = { event: string; text: string };

/** The last answer since the last thing the user said, with its text, which may be empty; null: there is none. */
export function finalAnswer(history: readonly Message[]): FinalAnswer | null {
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const message = history[index];
    if (message === undefined) break;
    if (message.role === 'assistant') {
      const text = message.parts
        .filter(isText)
        .map((part) => part.text)
        .join('');
      return { event: message.event, text };
    }
    if (message.role === 'user' && message.from !== 'reminder') return null;
  }
  return null;
}

/** The text of the last answer since the last thing the user said; empty where it has none. */
export function finalText(history: readonly Message[]): string {
  return finalAnswer(history)?.text ?? '';
}
