import { type Instant, toRfc3339 } from '../../base/index.ts';

/** RFC 3339 with microseconds and offset; or the test's time: as it is, or put together where it has a space in it. */
export function kimiNow(startedAt: Instant, testTime: string | undefined): string {
  if (testTime === undefined) return toRfc3339(startedAt, 6);
  const space = testTime.indexOf(' ');
  return space < 0 ? testTime : `${testTime.slice(0, space)}T${testTime.slice(space + 1)}.000000+00:00`;
}
