import { byteLength, isRecord } from '../base/index.ts';
import { isText, type Message, type PieceSpan, type TextPart } from '../model/index.ts';
import { withoutFinalNewlines } from './final-newlines.ts';

/** Where one text part of the conversation went in the request. */
export type LocatedPart = {
  message: Message;
  part: TextPart;
  /** `messages/3/content/0`, and the byte of that text where the part begins. */
  in: string;
  start: number;
};

type SentText = { in: string; text: string };

// An encoder may leave out a message (an empty answer), so the next one is looked for this far ahead, not further: a
// part that was not sent must not send the search through the whole conversation.
const LOOK_AHEAD = 16;

/** The texts of one message as sent, whichever wire: a string, or blocks with a `text`. */
function textsOf(message: unknown, index: number): SentText[] {
  if (!isRecord(message)) return [];
  const content = message.content ?? message.output;
  const at = `messages/${index}/content`;
  if (typeof content === 'string') return [{ in: `${at}/0`, text: content }];
  if (!Array.isArray(content)) return [];
  return content.flatMap((block: unknown, place): SentText[] => {
    if (!isRecord(block)) return [];
    const text = block.text ?? block.content;
    return typeof text === 'string' ? [{ in: `${at}/${place}`, text }] : [];
  });
}

/**
 * Finds every text part of the conversation in the request's own messages. It goes by order: a text is looked for after
 * the one before it, so a message that quotes another is not taken for it. Parts that were not sent are left out.
 */
export function locateParts(messages: readonly Message[], encoded: readonly unknown[]): LocatedPart[] {
  const texts = encoded.flatMap(textsOf);
  const located: LocatedPart[] = [];
  let current = 0;
  let offset = 0;
  for (const message of messages) {
    for (const part of message.parts.filter(isText)) {
      // Some wires drop the newlines at a message's end.
      const wanted = withoutFinalNewlines(part.text);
      if (wanted === '') continue;
      const end = Math.min(texts.length, current + LOOK_AHEAD);
      for (let index = current; index < end; index += 1) {
        const sent = texts[index];
        const from = sent?.text.indexOf(wanted, index === current ? offset : 0) ?? -1;
        if (sent === undefined || from < 0) continue;
        located.push({ message, part, in: sent.in, start: byteLength(sent.text.slice(0, from)) });
        current = index;
        offset = from + wanted.length;
        break;
      }
    }
  }
  return located;
}

/** The piece's stretch of a located part, in bytes of the text it was sent in. */
export function spanIn(located: LocatedPart, at: readonly [number, number]): PieceSpan {
  return { in: located.in, start: located.start + at[0], end: located.start + at[1] };
}
