import { expect, test } from 'vitest';
import { retryAfterMs } from './retry-after.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': ' 0.5 ' }, 500],
  [{ 'retry-after': 'Mon, 30 Nov 2026 12:00:10 GMT' }, 10_000],
  [{ 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
  [{ 'retry-after': 'soon' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{ 'retry-after': '' }, undefined],
  [{ 'retry-after-ms': '750', 'retry-after': '2' }, 750],
  [{}, undefined],
])('%j asks to wait %s ms', (headers, ms) => {
  expect(retryAfterMs(headers, NOW)).toBe(ms);
});
