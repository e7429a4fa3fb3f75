import type { GrepRow } from '../contract/index.ts';

/** UTF-8 bytes of the line, from where to where a match goes. */
export type Span = { start: number; end: number };

// Of what is shown, how much stands before the match.
const SHARE_BEFORE = 0.4;

/**
 * A line as it is shown: whole up to `length` characters, else that much around its first match, with what was left
 * out on either side and how many matches lie there. `spans` is asked for a long line alone.
 */
export function excerpt(
  text: string,
  length: number,
  spans: () => readonly Span[],
): Pick<GrepRow, 'text' | 'cut' | 'hidden'> {
  const line = text.replace(/\r$/, '');
  if (line.length <= length) return { text: line };
  const bytes = Buffer.from(line, 'utf8');
  const all = spans();
  const first = all[0] ?? { start: 0, end: 0 };
  const before = bytes.toString('utf8', 0, first.start);
  const after = bytes.toString('utf8', first.start);
  // Room that the line's end does not use goes to what stands before the match.
  const wanted = Math.max(Math.floor(length * SHARE_BEFORE), length - after.length);
  const left = wholeEnd(before, wanted);
  const right = wholeStart(after, length - left.length);
  const shown = { start: first.start - Buffer.byteLength(left), end: first.start + Buffer.byteLength(right) };
  const hidden = all.filter(({ start, end }) => end > start && (end > shown.end || start < shown.start)).length;
  // A match longer than the room is shown in part, and is not hidden.
  const partly = first.end > shown.end && first.end > first.start ? 1 : 0;
  return {
    text: left + right,
    cut: [before.length - left.length, after.length - right.length],
    ...(hidden - partly > 0 ? { hidden: hidden - partly } : {}),
  };
}

function wholeEnd(text: string, units: number): string {
  if (units <= 0) return '';
  const cut = text.slice(-units);
  return /^[\udc00-\udfff]/.test(cut) ? cut.slice(1) : cut;
}

function wholeStart(text: string, units: number): string {
  const cut = text.slice(0, Math.max(0, units));
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}
