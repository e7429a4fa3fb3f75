import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DEFAULT_RETRY, retryDelay } from './retry-policy.ts';

test('the backoff doubles and stays within a quarter of its middle', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 0, max: 255 }), (attempt, byte) => {
      const middle = 1000 * 2 ** (attempt - 1);
      const delay = retryDelay(DEFAULT_RETRY, attempt, undefined, { bytes: () => Uint8Array.of(byte) });
      expect(Math.abs((delay ?? 0) - middle)).toBeLessThanOrEqual(middle / 4);
    }),
  );
});

test('what the server asks for counts, up to the longest wait', () => {
  const asked = [0, 120_000, 120_001].map((ms) => retryDelay(DEFAULT_RETRY, 1, ms, { bytes: () => new Uint8Array(1) }));
  expect(asked).toEqual([0, 120_000, null]);
});
