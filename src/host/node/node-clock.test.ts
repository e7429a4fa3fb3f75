import { expect, test } from 'vitest';
import { createNodeClock } from './node-clock.ts';

const clock = createNodeClock();

test('the time is the system time, with microseconds and the local offset', () => {
  const before = Date.now();
  const { epochMs, micros, offsetMinutes } = clock.now();
  expect(epochMs).toBeGreaterThanOrEqual(before - 2);
  expect(epochMs).toBeLessThanOrEqual(Date.now() + 2);
  expect(Number.isInteger(micros) && micros >= 0 && micros <= 999).toBe(true);
  expect(offsetMinutes).toBe(0 - new Date(epochMs).getTimezoneOffset());
});

test('a sleep takes its time, and an abort ends it at once without an error', async () => {
  const start = clock.monotonicMs();
  await clock.sleep(20);
  const slept = clock.monotonicMs() - start;
  expect(slept).toBeGreaterThanOrEqual(19);
  await clock.sleep(60_000, AbortSignal.timeout(10));
  await clock.sleep(60_000, AbortSignal.abort());
  // Longer than a timer can be set to: it would fire at once.
  await clock.sleep(1e13, AbortSignal.timeout(10));
  expect(clock.monotonicMs() - start).toBeGreaterThanOrEqual(slept + 19);
});
