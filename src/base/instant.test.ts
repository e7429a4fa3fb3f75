import { expect, test } from 'vitest';
import { parseRfc3339, toRfc3339 } from './instant.ts';

test.each([
  ['2026-03-01T10:00:00+01:00', '2026-03-01T10:00:00.000000+01:00'],
  ['2024-02-29t23:59:59.1234567z', '2024-02-29T23:59:59.123456+00:00'],
  [' 2026-03-01 10:00:00-05:45\n', '2026-03-01T10:00:00.000000-05:45'],
])('%j is a time, and keeps its offset', (text, written) => {
  const instant = parseRfc3339(text);
  expect(instant && toRfc3339(instant, 6)).toBe(written);
});

test.each([
  '2026-02-29T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-03-01T24:00:00Z',
  '2026-03-01T10:60:00Z',
  '2026-03-01T10:00:60Z',
  '2026-03-01T10:00:00+24:00',
  '2026-03-01T10:00:00+01:60',
  '2026-03-01T10:00:00',
  '2026-03-01',
  '',
])('%j is no time', (text) => {
  expect(parseRfc3339(text)).toBeUndefined();
});
