import { cutUnits } from '../../base/index.ts';
import { isSaid, neutraliseClosingTags } from '../../instructions/index.ts';
import { isCall, isText, type Message, type Part } from '../../model/index.ts';

/** Characters of one result (spec/kli.md 18.10). */
const MAX_RESULT = 2000;
const TAG = 'conversation';

function textOf(parts: readonly Part[]): string {
  return parts.map((part) => (part.type === 'media' ? '[picture]' : isText(part) ? part.text : '')).join('');
}

function clipped(text: string): string {
  if (text.length <= MAX_RESULT) return text;
  const kept = cutUnits(text, MAX_RESULT);
  return `${kept}[... ${text.length - kept.length} more characters truncated]`;
}

function paragraphs(message: Message): string[] {
  const text = textOf(message.parts);
  if (!isSaid(message)) return [];
  if (message.role === 'user') return [`[User]: ${text}`];
  if (message.role === 'tool') return [`[Tool result]: ${clipped(text)}`];
  const thinking = message.parts.map((part) => (part.type === 'reasoning' ? part.text : '')).join('');
  const calls = message.parts.filter(isCall).map(({ name, arguments: given }) => `${name}(${given})`);
  return [
    ...(thinking === '' ? [] : [`[Assistant thinking]: ${thinking}`]),
    ...(text === '' ? [] : [`[Assistant]: ${text}`]),
    ...(calls.length === 0 ? [] : [`[Assistant tool calls]: ${calls.join('; ')}`]),
  ];
}

/** Messages for whoever is to sum them up, in their frame (spec/kli.md 18.10). What the program said itself is left out. */
export function kliConversation(messages: readonly Message[]): string {
  const text = neutraliseClosingTags(messages.flatMap(paragraphs).join('\n\n'), [TAG]).text;
  return `<${TAG}>\n${text}\n</${TAG}>`;
}
