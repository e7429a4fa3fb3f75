import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineIndex } from './line-index.ts';

test('a position is the count of line ends before it and the distance from the last', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\n', '\r\n') });
  fc.assert(
    fc.property(text, fc.nat(), (content, seed) => {
      const offset = seed % (content.length + 1);
      const before = content.slice(0, offset);
      expect(new LineIndex(content).at(offset)).toEqual({
        line: before.split('\n').length,
        column: offset - before.lastIndexOf('\n'),
      });
    }),
  );
});
