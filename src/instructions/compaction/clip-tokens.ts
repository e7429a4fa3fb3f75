import { estimateTokens, quartersOf } from '../estimate-tokens.ts';

/** Of what is kept this share is the beginning; the rest is the end. */
const HEAD_SHARE = 0.8;
/** What the words between the two take at most, and what they may split into an end of a frame. */
const MARK_TOKENS = 16;

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Units from the beginning that fit, never half of a character. */
function headLength(text: string, tokens: number): number {
  let left = tokens * 4;
  let end = 0;
  while (end < text.length) {
    left -= quartersOf(text.charCodeAt(end));
    if (left < 0) break;
    end += 1;
  }
  return end < text.length && isLowSurrogate(text.charCodeAt(end)) ? Math.max(0, end - 1) : end;
}

/** Where the units at the end that fit begin, never within a character. */
function tailStart(text: string, tokens: number, from: number): number {
  let left = tokens * 4;
  let start = text.length;
  while (start > from) {
    left -= quartersOf(text.charCodeAt(start - 1));
    if (left < 0) break;
    start -= 1;
  }
  return start < text.length && isLowSurrogate(text.charCodeAt(start)) ? start + 1 : start;
}

/** A text of at most so many tokens: where it is longer, its beginning and its end, and how much is missing between. */
export function clipTokens(text: string, most: number): string {
  if (estimateTokens(text) <= most) return text;
  const room = most - MARK_TOKENS;
  if (room <= 0) return text.slice(0, headLength(text, Math.max(0, most)));
  const headTokens = Math.floor(room * HEAD_SHARE);
  const head = headLength(text, headTokens);
  const tail = tailStart(text, room - headTokens, head);
  return `${text.slice(0, head)}\n[… ${tail - head} characters left out …]\n${text.slice(tail)}`;
}
