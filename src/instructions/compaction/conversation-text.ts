import { isText, type Message, type Part } from '../../model/index.ts';
import { neutraliseClosingTags } from '../closing-tag.ts';
import { estimateTokens } from '../estimate-tokens.ts';
import { clipTokens } from './clip-tokens.ts';
import { isSaid } from './is-said.ts';
import { SUMMARY_ID } from './summary-pieces.ts';

/** Tokens that are kept of one result and of the arguments of one call. */
const MAX_CLIPPED = 500;
/** Of one message that a person or the model wrote. */
const MAX_SAID = 5000;
/** The first message says what all is about; where there is no room for everything it has at most this share. */
const OPENING_SHARE = 0.25;
/** An empty line, and what it takes to write out an end of the frame whose halves meet across one. */
const SEPARATOR_TOKENS = 2;
/** The words that stand for messages left out. */
const GAP_TOKENS = 12;

/** The tag around the conversation in a request for a summary. */
export const CONVERSATION_TAG = 'conversation';

/** Text of the program's own (skills, notices) in a message is not what was said: it is given again where it is due. */
function ownText(part: Part): string {
  if (part.type === 'media') return '[picture]';
  if (!isText(part)) return '';
  return part.pieces === undefined ? part.text : '[instructions, left out]';
}

function said(parts: readonly Part[]): string {
  return clipTokens(
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
      if (!isSaid(message)) return null;
      return `[User]\n${said(message.parts)}`;
    case 'assistant': {
      const calls = message.parts.flatMap((part) =>
        part.type === 'call' ? [`[Assistant calls ${part.name}]\n${clipTokens(part.arguments, MAX_CLIPPED)}`] : [],
      );
      const text = said(message.parts.filter(isText));
      return [...(text === '' ? [] : [`[Assistant]\n${text}`]), ...calls].join('\n\n');
    }
    default: {
      const status = message.status === 'ok' ? '' : `, ${message.status}`;
      return `[Result of ${message.tool}${status}]\n${clipTokens(said(message.parts), MAX_CLIPPED)}`;
    }
  }
}

function inFrame(text: string): string {
  return neutraliseClosingTags(text, [CONVERSATION_TAG]).text;
}

function costOf(text: string): number {
  return estimateTokens(text) + SEPARATOR_TOKENS;
}

/** The first, clipped, and as many of the newest as there is room for; of the newest always something. */
function withinBound([first, ...rest]: readonly string[], mostTokens: number): string[] {
  const opening = clipTokens(first ?? '', rest.length === 0 ? mostTokens : Math.floor(mostTokens * OPENING_SHARE));
  let left = mostTokens - costOf(opening) - GAP_TOKENS - SEPARATOR_TOKENS;
  let from = rest.length;
  for (; from > 0; from -= 1) {
    const cost = costOf(rest[from - 1] ?? '');
    if (cost > left) break;
    left -= cost;
  }
  const newest = rest.slice(from);
  if (newest.length === 0 && rest.length > 0) {
    from -= 1;
    newest.push(clipTokens(rest[from] ?? '', left - SEPARATOR_TOKENS));
  }
  return [opening, ...(from === 0 ? [] : [`[… ${from} messages left out …]`]), ...newest];
}

/**
 * Messages as one text for whoever is to sum them up: without the program's own reminders, results clipped, closing
 * tags of the frame written out. Never more than `mostTokens`: where it would be, the first message and the newest stay.
 */
export function conversationText(messages: readonly Message[], mostTokens: number): string {
  const paragraphs = messages.flatMap((message) => paragraph(message) ?? []).filter((text) => text !== '');
  const safe = paragraphs.map(inFrame);
  const whole = safe.reduce((sum, text) => sum + costOf(text), 0);
  return inFrame((whole <= mostTokens ? safe : withinBound(safe, mostTokens)).join('\n\n'));
}

/** The text of the summary that these messages begin with, without its frame; null: they begin with none. */
export function previousSummary(messages: readonly Message[]): string | null {
  const first = messages.find((message) => message.role === 'user' && message.from === 'summary');
  const [part] = first?.parts.filter(isText) ?? [];
  if (part === undefined) return null;
  const at = part.pieces?.find(({ piece }) => piece.startsWith(`${SUMMARY_ID}@`))?.at;
  if (at === undefined) return part.text;
  return new TextDecoder().decode(new TextEncoder().encode(part.text).subarray(at[0], at[1]));
}
