import fc from 'fast-check';
import { expect, test } from 'vitest';
import { eachLine, eachLineBack, endOfLines } from './each-line.ts';
import { MemoryStorage } from './log-storage.ts';

/** Lines around the sizes in which a log is read. */
const line = fc.oneof(
  { weight: 8, arbitrary: fc.string({ unit: 'binary', maxLength: 30 }).map((text) => text.replaceAll('\n', '')) },
  {
    weight: 1,
    arbitrary: fc
      .record({ kib: fc.constantFrom(256, 512, 1024), by: fc.integer({ min: -2, max: 2 }) })
      .map(({ kib, by }) => 'x'.repeat(kib * 1024 + by)),
  },
);

test('each whole line comes with its place, from either end; what follows the last newline is left alone', () => {
  fc.assert(
    fc.property(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'torn'), (lines, torn) => {
      const bytes = Buffer.from(`${lines.map((text) => `${text}\n`).join('')}${torn}`);
      const storage = new MemoryStorage(bytes);
      const forth: [string, number][] = [];
      const back: [string, number][] = [];
      const end = eachLine(storage, [0, bytes.length], (text, start) => {
        forth.push([String(text), start]);
      });
      expect(end).toBe(bytes.length - torn.length);
      expect(endOfLines(storage)).toBe(end);
      const isAll = eachLineBack(storage, [0, end], (text, start) => back.unshift([String(text), start]) > 0);
      expect(isAll).toBe(true);
      expect(forth.map(([text]) => text)).toEqual(lines);
      expect(back).toEqual(forth);
      for (const [text, start] of forth)
        expect(bytes.toString('utf8', start, start + Buffer.byteLength(text))).toBe(text);
    }),
    { numRuns: 60 },
  );
});

test('reading from the end stops where it is told to', () => {
  const storage = new MemoryStorage(Buffer.from('a\nb\nc\n'));
  const seen: string[] = [];
  const isAll = eachLineBack(storage, [0, 6], (text) => seen.push(String(text)) < 2);
  expect([isAll, seen]).toEqual([false, ['c', 'b']]);
});
