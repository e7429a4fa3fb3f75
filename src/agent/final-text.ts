import { isText, type Message } from '../model/index.ts';

/** The text of the last answer since the last thing the user said; empty where it has none. */
export function finalText(history: readonly Message[]): string {
  for (let index = history.length - 1; index >= 0; index -= 1) {
    const message = history[index];
    if (message === undefined) break;
    if (message.role === 'assistant')
      return message.parts
        .filter(isText)
        .map((part) => part.text)
        .join('');
    if (message.role === 'user' && message.from !== 'reminder') return '';
  }
  return '';
}
