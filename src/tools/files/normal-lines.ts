import { lineEnd } from './line-window.ts';

/** A text with every line end as one `\n`, and the way back to where each of its units was. */
export type NormalLines = {
  text: string;
  /** Index in the original of the unit at this index; one more than there are units is the end. */
  at(index: number): number;
  /** The line end that this `\n` was. */
  endAt(index: number): string;
  /** The line end that the text has most; the first one among equals; `\n` where it has none. */
  usual: string;
};

/**
 * `\r\n` is one line end, as is `\n`; `\r` alone only in a text without any `\n`, and is otherwise an ordinary
 * character of its line.
 */
export function normalizeLines(original: string): NormalLines {
  if (lineEnd(original) === '\r') {
    return { text: original.replaceAll('\r', '\n'), at: (index) => index, endAt: () => '\r', usual: '\r' };
  }
  const text = original.replaceAll('\r\n', '\n');
  // Index in `text` of each `\n` that was two units, ascending.
  const pairs: number[] = [];
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2))
    pairs.push(at - pairs.length);
  const before = (index: number): number => countBelow(pairs, index);
  const single = count(text, '\n') - pairs.length;
  return {
    text,
    at: (index) => index + before(index),
    endAt: (index) => (pairs[before(index)] === index ? '\r\n' : '\n'),
    usual:
      pairs.length > single || (pairs.length === single && pairs[0] === text.indexOf('\n') && single > 0)
        ? '\r\n'
        : '\n',
  };
}

/** How many of the ascending numbers are below the limit. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}

function count(text: string, unit: string): number {
  let found = 0;
  for (let at = text.indexOf(unit); at !== -1; at = text.indexOf(unit, at + 1)) found += 1;
  return found;
}

/** What a model wrote, in the same form: its line ends say nothing about the file's. */
export function normalizeGiven(text: string, file: NormalLines): string {
  const unix = text.replaceAll('\r\n', '\n');
  return file.usual === '\r' ? unix.replaceAll('\r', '\n') : unix;
}
