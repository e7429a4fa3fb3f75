import type { Segment } from '../../model/index.ts';
import { MAX_SPLICES } from './bounds.ts';

/** Start, end, and a number for each splice. */
const MARKS = MAX_SPLICES + 2;
const PLANES = { first: 0xf0000, last: 0x10fffd };
const PRIVATE = /[\u{F0000}-\u{FFFFD}\u{100000}-\u{10FFFD}]/gu;

/**
 * The first of as many private characters in a row as marks need, none of which is in the texts; null where there are
 * none left. A template can still make one of them by an escape: `readMarks` does not trust what it reads.
 */
export function chooseMarks(texts: Iterable<string>): number | null {
  const taken = new Set<number>();
  for (const text of texts) {
    for (const [character] of text.matchAll(PRIVATE)) taken.add(Math.floor((character.codePointAt(0) ?? 0) / MARKS));
  }
  for (let row = Math.ceil(PLANES.first / MARKS); (row + 1) * MARKS <= PLANES.last; row += 1) {
    const crossesPlanes = row * MARKS <= 0xfffff && (row + 1) * MARKS > 0xfffff;
    if (!taken.has(row) && !crossesPlanes) return row * MARKS;
  }
  return null;
}

/**
 * Which stretch of `text` came from which splice. `marked` is the same text with marks around what was spliced in;
 * where a template did more with it than write it down the two differ, and the whole counts as the template's own.
 */
export function readMarks(text: string, marked: string | null, marks: number, splices: readonly string[]): Segment[] {
  const whole = [{ text, from: null }];
  if (marked === null) return whole;
  const segments: Segment[] = [];
  const open: number[] = [];
  let from = 0;
  const pattern = new RegExp(`(${oneOf(marks + 2, marks + MARKS - 1)})(${oneOf(marks, marks + 1)})`, 'gu');
  for (const match of marked.matchAll(pattern)) {
    const number = (match[1]?.codePointAt(0) ?? 0) - marks - 2;
    const isStart = match[2]?.codePointAt(0) === marks;
    segments.push({ text: marked.slice(from, match.index), from: sourceOf(open, splices) });
    from = match.index + match[0].length;
    if (isStart) open.push(number);
    else if (open.pop() !== number) return whole;
  }
  segments.push({ text: marked.slice(from), from: null });
  const isTrue = open.length === 0 && segments.map((segment) => segment.text).join('') === text;
  return isTrue ? segments : whole;
}

function oneOf(first: number, last: number): string {
  return `[\\u{${first.toString(16)}}-\\u{${last.toString(16)}}]`;
}

function sourceOf(open: readonly number[], splices: readonly string[]): string | null {
  const innermost = open.at(-1);
  return innermost === undefined ? null : (splices[innermost] ?? null);
}
