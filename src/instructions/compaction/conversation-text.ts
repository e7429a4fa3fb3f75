import { isText, type Message, type Part } from '../../model/index.ts';
import { neutraliseClosingTags } from '../closing-tag.ts';
import { estimateTokens } from '../estimate-tokens.ts';

/** Characters that are kept of one result and of the arguments of one call: most of the head, some of the tail. */
const MAX_CLIPPED = 2000;
const TAIL = 400;
/** Of one message that a person or the model wrote. */
const MAX_SAID = 20_000;

/** The tag around the conversation in a request for a summary. */
export const CONVERSATION_TAG = 'conversation';

function clip(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, most - TAIL);
  const tail = text.slice(text.length - TAIL);
  return `${head}\n[… ${text.length - most} characters left out …]\n${tail}`.toWellFormed();
}

/** Text of the program's own (skills, notices) in a message is not what was said: it is given again where it is due. */
function ownText(part: Part): string {
  if (part.type === 'media') return '[picture]';
  if (!isText(part)) return '';
  return part.pieces === undefined ? part.text : '[instructions, left out]';
}

function said(parts: readonly Part[]): string {
  return clip(
    parts
      .map(ownText)
      .filter((text) => text !== '')
      .join('\n'),
    MAX_SAID,
  );
}

/** One message for the reader of a summary request; null: nothing of it belongs there. */
function paragraph(message: Message): string | null {
  switch (message.role) {
    case 'user':
      if (message.from === 'reminder' || message.from === 'summary') return null;
      return `[User]\n${said(message.parts)}`;
    case 'assistant': {
      const calls = message.parts.flatMap((part) =>
        part.type === 'call' ? [`[Assistant calls ${part.name}]\n${clip(part.arguments, MAX_CLIPPED)}`] : [],
      );
      const text = said(message.parts.filter(isText));
      return [...(text === '' ? [] : [`[Assistant]\n${text}`]), ...calls].join('\n\n');
    }
    default: {
      const status = message.status === 'ok' ? '' : `, ${message.status}`;
      return `[Result of ${message.tool}${status}]\n${clip(said(message.parts), MAX_CLIPPED)}`;
    }
  }
}

/**
 * Messages as one text for whoever is to sum them up: without the program's own reminders, results clipped, closing
 * tags of the frame written out. Where it is more than `mostTokens`, the first message and the newest stay.
 */
export function conversationText(messages: readonly Message[], mostTokens: number): string {
  const paragraphs = messages.flatMap((message) => paragraph(message) ?? []).filter((text) => text !== '');
  const [first, ...rest] = paragraphs;
  if (first === undefined) return '';
  let left = mostTokens - estimateTokens(first);
  let from = rest.length;
  while (from > 0 && left >= estimateTokens(rest[from - 1] ?? '')) {
    from -= 1;
    left -= estimateTokens(rest[from] ?? '');
  }
  const gap = from === 0 ? [] : [`[… ${from} messages left out …]`];
  return neutraliseClosingTags([first, ...gap, ...rest.slice(from)].join('\n\n'), [CONVERSATION_TAG]).text;
}

/** What a summary is known by, in whichever frame it stands. */
export const SUMMARY_ID = 'compaction/summary';

/** The text of the summary that these messages begin with, without its frame; null: they begin with none. */
export function previousSummary(messages: readonly Message[]): string | null {
  const first = messages.find((message) => message.role === 'user' && message.from === 'summary');
  const [part] = first?.parts.filter(isText) ?? [];
  if (part === undefined) return null;
  const at = part.pieces?.find(({ piece }) => piece.startsWith(`${SUMMARY_ID}@`))?.at;
  if (at === undefined) return part.text;
  return new TextDecoder().decode(new TextEncoder().encode(part.text).subarray(at[0], at[1]));
}
