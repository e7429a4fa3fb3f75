import fc from 'fast-check';
import { expect, test } from 'vitest';
import { chooseMarks, readMarks } from './marked-text.ts';

test('stretches are read back from marks, and always add up to the text', () => {
  const piece = fc.tuple(
    fc.string({ unit: 'binary', maxLength: 5 }).map((text) => text.toWellFormed()),
    fc.boolean(),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
      const marks = chooseMarks(pieces.map(([text]) => text)) ?? 0;
      const splices: string[] = [];
      const marked = pieces.map(([text, isSpliced]) => {
        if (!isSpliced) return text;
        const mark = String.fromCodePoint(marks + 2 + splices.length);
        splices.push(`f${splices.length}`);
        return `${mark}${String.fromCodePoint(marks)}${text}${mark}${String.fromCodePoint(marks + 1)}`;
      });
      const text = pieces.map(([each]) => each).join('');
      const read = readMarks(text, marked.join(''), marks, splices).filter((segment) => segment.text !== '');
      expect(read.map((segment) => segment.text).join('')).toBe(text);
      const spliced = pieces.flatMap(([each, isSpliced]) => (isSpliced && each !== '' ? [each] : []));
      expect(read.filter(({ from }) => from !== null).map((segment) => segment.text)).toEqual(spliced);
    }),
  );
});

test('marks that do not fit the text are not believed', () => {
  const noise = fc.array(
    fc.oneof(
      fc.constantFrom(0, 1, 2, 3).map((n) => String.fromCodePoint(0xf0000 + n)),
      fc.constant('a'),
    ),
  );
  fc.assert(
    fc.property(fc.string(), noise, (text, marked) => {
      const read = readMarks(text, marked.join(''), 0xf0000, ['x', 'y']);
      expect(read.map((segment) => segment.text).join('')).toBe(text);
    }),
  );
  expect(readMarks('a', null, 0xf0000, [])).toEqual([{ text: 'a', from: null }]);
});

test('where every private character is taken there are no marks', () => {
  const all = Array.from({ length: 0x10fffe - 0xf0000 }, (_, index) => String.fromCodePoint(0xf0000 + index)).join('');
  expect(chooseMarks([all])).toBe(null);
  expect(chooseMarks(['a'])).not.toBe(null);
});
