import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isNearSpelling } from './spelling.ts';

test('another letter case and one character more, less or other are near; the name itself and two are not', () => {
  const names = ['.Rein', 'rein', '.reins', '.rain', '.ein', '.rein', '.rei', 'reins', '.git', '', '.re.in'];
  expect(names.filter((name) => isNearSpelling(name, '.rein'))).toEqual([
    '.Rein',
    'rein',
    '.reins',
    '.rain',
    '.ein',
    '.rei',
    '.re.in',
  ]);
});

test('nearness goes both ways', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 5 });
  fc.assert(fc.property(word, word, (left, right) => isNearSpelling(left, right) === isNearSpelling(right, left)));
});
