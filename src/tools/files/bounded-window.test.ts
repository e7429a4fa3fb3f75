import { expect, test } from 'vitest';
import { type BoundedRequest, BoundedWindow } from './bounded-window.ts';

const BOUNDS = { lines: 4, bytes: 20, lineLength: 10 };

function windowOf(lines: readonly string[], request: Partial<BoundedRequest>): unknown {
  const window = new BoundedWindow({
    from: { firstLine: 1 },
    lineCount: Number.POSITIVE_INFINITY,
    bounds: BOUNDS,
    ...request,
  });
  for (const line of lines) window.add(line);
  const { text, firstLine, lastLine, totalLines, shortenedAt, ended } = window.finish();
  return [text, firstLine, lastLine, totalLines, shortenedAt, ended];
}

const ONES = ['a\n', 'b\n', 'c\n', 'd\n', 'e\n', 'f'];

test.each<[what: string, lines: readonly string[], request: Partial<BoundedRequest>, expected: unknown]>([
  ['all there is', ['a\n', 'b'], {}, ['a\nb', 1, 2, 2, [], null]],
  ['nothing of an empty file', [], {}, ['', 1, 0, 0, [], null]],
  ['as many lines as were asked for', ONES, { from: { firstLine: 2 }, lineCount: 2 }, ['b\nc\n', 2, 3, 6, [], null]],
  ['at most the bound of lines', ONES, {}, ['a\nb\nc\nd\n', 1, 4, 6, [], 'lines']],
  ['what was asked for, though it is the bound', ONES, { lineCount: 4 }, ['a\nb\nc\nd\n', 1, 4, 6, [], null]],
  ['nothing behind the end', ONES, { from: { firstLine: 9 } }, ['', 9, 8, 6, [], null]],
  ['the last lines', ONES, { from: { fromEnd: 2 } }, ['e\nf', 5, 6, 6, [], null]],
  ['the first of the last lines', ONES, { from: { fromEnd: 3 }, lineCount: 1 }, ['d\n', 4, 4, 6, [], null]],
  ['fewer lines than asked for', ['a\n'], { from: { fromEnd: 9 } }, ['a\n', 1, 1, 1, [], null]],
  ['no last lines of an empty file', [], { from: { fromEnd: 3 } }, ['', 1, 0, 0, [], null]],
  ['the bound of the last lines', ONES, { from: { fromEnd: 6 } }, ['a\nb\nc\nd\n', 1, 4, 6, [], 'lines']],
])('a window has %s', (_what, lines, request, expected) => {
  expect(windowOf(lines, request)).toEqual(expected);
});

const NINES = ['1234567\n', '2234567\n', '3234567\n', '4234567\n'];

test('the line that reaches the bytes is the last one', () => {
  expect(windowOf(NINES, {})).toEqual([NINES.slice(0, 3).join(''), 1, 3, 4, [], 'bytes']);
});

test('a window that has its lines was not ended by their bytes', () => {
  expect(windowOf(NINES, { lineCount: 3 })).toEqual([NINES.slice(0, 3).join(''), 1, 3, 4, [], null]);
});

test('of the last lines the oldest are left out until they fit', () => {
  expect(windowOf(NINES, { from: { fromEnd: 4 } })).toEqual([NINES.slice(2).join(''), 3, 4, 4, [], 'bytes']);
});

test('a long line keeps its beginning, dots and its end, never half a character', () => {
  const lines = ['1234567890\n', '123456789\n', `${'😀'.repeat(11)}\r\n`, '12345678901'];
  expect(windowOf(lines, { bounds: { ...BOUNDS, lines: 9, bytes: 1000 } })).toEqual([
    `123456...\n123456789\n${'😀'.repeat(5)}...\r\n1234567...`,
    1,
    4,
    4,
    [1, 3, 4],
    null,
  ]);
});
