import fc from 'fast-check';
import { expect, test } from 'vitest';
import { excerpt } from './line-excerpt.ts';

const at = (start: number, end: number) => [{ start, end }];

test('a line that fits is shown whole, without the carriage return of its end', () => {
  expect(excerpt('let a = 1;\r', 20, () => at(4, 5))).toEqual({ text: 'let a = 1;' });
});

test('of a long line the part around the first match is shown, and what is missing on either side', () => {
  const line = `${'x'.repeat(1000)}tally${'y'.repeat(500)}`;
  expect(excerpt(line, 20, () => at(1000, 1005))).toEqual({ text: 'xxxxxxxxtallyyyyyyyy', cut: [992, 493] });
});

test('a match near either end gives its room to the other side', () => {
  expect(excerpt(`tally${'y'.repeat(95)}`, 20, () => at(0, 5))).toEqual({
    text: `tally${'y'.repeat(15)}`,
    cut: [0, 80],
  });
  expect(excerpt(`${'x'.repeat(95)}tally`, 20, () => at(95, 100))).toEqual({
    text: `${'x'.repeat(15)}tally`,
    cut: [80, 0],
  });
});

test('matches outside of what is shown are counted, empty ones not', () => {
  const line = `${'tally '.repeat(3)}${'x'.repeat(100)}tally`;
  const spans = [at(0, 5), at(6, 11), at(12, 17), at(118, 123), at(50, 50)].flat();
  expect(excerpt(line, 11, () => spans)).toEqual({ text: 'tally tally', cut: [0, 112], hidden: 2 });
});

test('a match longer than the room is shown in part', () => {
  expect(excerpt('a'.repeat(100), 10, () => at(0, 100))).toEqual({ text: 'a'.repeat(10), cut: [0, 90] });
});

test('offsets count bytes, and no character is cut', () => {
  const line = `${'é😀'.repeat(30)}tally${'😀'.repeat(30)}`;
  expect(excerpt(line, 21, () => at(180, 185))).toEqual({ text: '😀é😀é😀tally😀😀😀😀', cut: [82, 52] });
});

test('whatever the line, what is shown is a whole part of it and the missing parts add up', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'é', '😀', ' '), maxLength: 60 });
  fc.assert(
    fc.property(text, text, text, fc.integer({ min: 2, max: 20 }), (before, match, after, length) => {
      const line = before + match + after;
      const start = Buffer.byteLength(before);
      const { text: shown, cut = [0, 0] } = excerpt(line, length, () => at(start, start + Buffer.byteLength(match)));
      expect(line.slice(cut[0], line.length - cut[1])).toBe(shown);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown.length).toBeLessThanOrEqual(Math.max(length, 0));
    }),
  );
});
