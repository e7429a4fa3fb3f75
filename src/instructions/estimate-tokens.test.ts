import { expect, test } from 'vitest';
import { estimateMessageTokens, estimateTokens } from './estimate-tokens.ts';

test('English counts four characters a token, accented letters two, wide characters one', () => {
  expect(
    ['', 'a', 'four', 'Read the file, then edit it.', 'ééé', '漢字かな', '한글', '😀😀'].map(estimateTokens),
  ).toEqual([0, 1, 1, 7, 2, 4, 2, 2]);
});

test('a picture in messages counts the same however many characters it has', () => {
  const message = (base64: string): string => JSON.stringify({ url: `data:image/png;base64,${base64}` });
  expect([message('AA=='), message('A'.repeat(100_000)), message('A').repeat(2)].map(estimateMessageTokens)).toEqual([
    1603, 1603, 3205,
  ]);
});
