import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength } from '../../base/index.ts';
import { OutputWindow } from './output-window.ts';

function windowOf(pieces: readonly string[], head: number, tail: number): OutputWindow {
  const window = new OutputWindow(head, tail);
  for (const piece of pieces) window.push(piece);
  return window;
}

test('what fits is there as a whole', () => {
  expect(windowOf(['abc', 'defg'], 4, 3).finish()).toEqual({ head: 'abcd', tail: 'efg', droppedBytes: 0 });
});

test('of what does not fit the beginning and the end are there, and what is missing is counted', () => {
  expect(windowOf(['abcd', 'efgh', 'ijkl'], 3, 4).finish()).toEqual({ head: 'abc', tail: 'ijkl', droppedBytes: 5 });
});

test('no character is cut', () => {
  expect(windowOf(['aéé', 'ééb'], 4, 4).finish()).toEqual({ head: 'aé', tail: 'éb', droppedBytes: 4 });
});

test('for any pieces: a prefix, a suffix, and the exact number of bytes between', () => {
  const piece = fc
    .array(fc.constantFrom('a', 'é', '€', '\u{1f600}', '\n'), { maxLength: 12 })
    .map((all) => all.join(''));
  fc.assert(
    fc.property(fc.array(piece), fc.nat(20), fc.nat(20), (pieces, head, tail) => {
      const text = pieces.join('');
      const window = windowOf(pieces, head, tail);
      const kept = window.finish();
      expect(text.startsWith(kept.head)).toBe(true);
      expect(text.endsWith(kept.tail)).toBe(true);
      expect(byteLength(kept.head) + byteLength(kept.tail) + kept.droppedBytes).toBe(byteLength(text));
      if (byteLength(text) <= head + tail) expect(kept.head + kept.tail).toBe(text);
      else expect(byteLength(kept.head) <= head && byteLength(kept.tail) <= tail).toBe(true);
    }),
  );
});
