import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findSpans } from '../index.ts';
import { createNodeRegex } from './node-regex.ts';

const regex = createNodeRegex();
const search = { pattern: 'b+', flags: '', text: 'abb\nb\n', lines: true, maxSpans: 100 };

test('matches come as offsets into the text, at most as many as were asked for', async () => {
  expect(await regex.find(search, 1000)).toEqual({ spans: [1, 3, 4, 5], complete: true });
  expect(await regex.find({ ...search, maxSpans: 1 }, 1000)).toEqual({ spans: [1, 3], complete: true });
});

test('line by line a match cannot cross a line end, and nothing follows the last one', async () => {
  const found = async (pattern: string, lines: boolean): Promise<readonly number[]> =>
    (await regex.find({ ...search, pattern, flags: 's', lines }, 1000)).spans;
  expect(await found('b.b', true)).toEqual([]);
  expect(await found('b.b', false)).toEqual([2, 5]);
  expect(await found('^', true)).toEqual([0, 0, 4, 4]);
  expect(await found('$', true)).toEqual([3, 3, 5, 5]);
});

test('a pattern that would take for ever is stopped in time, and the next search works', async () => {
  const started = performance.now();
  const text = `${'a'.repeat(40)}!`;
  expect(await regex.find({ ...search, pattern: '(a+)+$', text }, 40)).toEqual({ spans: [], complete: false });
  expect(performance.now() - started).toBeLessThan(5000);
  expect(await regex.find(search, 1000)).toEqual({ spans: [1, 3, 4, 5], complete: true });
});

test('it finds what the plain search finds', async () => {
  const anyText = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '\r', 'é', '😀') });
  const anyPattern = fc.constantFrom('a', 'a*', '[^a]', 'b$', '^.', 'a|\\n', '\\b');
  await fc.assert(
    fc.asyncProperty(
      anyText,
      anyPattern,
      fc.boolean(),
      fc.constantFrom('', 'u', 'i'),
      async (text, pattern, lines, flags) => {
        const one = { pattern, flags, text, lines, maxSpans: 50 };
        expect(await regex.find(one, 1000)).toEqual({ spans: findSpans(one), complete: true });
      },
    ),
  );
});
