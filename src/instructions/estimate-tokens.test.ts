import { expect, test } from 'vitest';
import { estimateTokens } from './estimate-tokens.ts';

test('English counts four characters a token, accented letters two, wide characters one', () => {
  expect(
    ['', 'a', 'four', 'Read the file, then edit it.', 'ééé', '漢字かな', '한글', '😀😀'].map(estimateTokens),
  ).toEqual([0, 1, 1, 7, 2, 4, 2, 2]);
});
