import fc from 'fast-check';
import { expect, test } from 'vitest';
import { byteLength, cutHead, cutTail, cutUnits } from './text.ts';

test('a cut keeps as much as fits, and no part of a character', () => {
  const text = 'aé🙂b';
  expect([0, 1, 2, 3, 4, 6, 7, 8, 99].map((bytes) => cutHead(text, bytes))).toEqual([
    ...['', 'a', 'a', 'aé', 'aé', 'aé', 'aé🙂', text, text],
  ]);
  expect([0, 1, 4, 5, 7, 8].map((bytes) => cutTail(text, bytes))).toEqual(['', 'b', 'b', '🙂b', 'é🙂b', text]);
  expect([-1, 0, 1, 2, 3, 4, 5, 99].map((units) => cutUnits(text, units))).toEqual([
    ...['', '', 'a', 'aé', 'aé', 'aé🙂', text, text],
  ]);
});

test('a cut by units of a well-formed text is well-formed, a beginning of it, and at most one unit short', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(20), (text, units) => {
      const cut = cutUnits(text, units);
      const most = Math.min(units, text.length);
      expect([cut.isWellFormed(), text.startsWith(cut), most - cut.length <= 1, cut.length <= most]).toEqual(
        Array(4).fill(true),
      );
    }),
  );
});

test('half a character that was in the text from the beginning stays as it is', () => {
  expect([cutUnits('a\ud83d', 2), cutUnits('\ud83dab', 1), byteLength(cutHead('\ud83dab', 3))]).toEqual([
    'a\ud83d',
    '\ud83d',
    3,
  ]);
});
