import { expect, test } from 'vitest';
import { toRfc3339 } from '../base/index.ts';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { type ToldClock, toldClock } from './told-clock.ts';

function told(now?: string): { host: MemoryHost; clock: ToldClock } {
  const env = now === undefined ? {} : { REIN_NOW: now };
  const host = createMemoryHost({ cwd: '/w', now: '2026-05-05T10:00:00+02:00', env, files: { '/w/now': '' } });
  return { host, clock: toldClock(host.clock, host.env, host.files) };
}

async function read(clock: ToldClock): Promise<string> {
  return toRfc3339(await clock.now(), 6);
}

test('without REIN_NOW the model is told the real time', async () => {
  const { host, clock } = told();
  const times = [await read(clock)];
  host.clock.advance(1000);
  times.push(await read(clock), await read(told('').clock));
  expect(times).toEqual([
    '2026-05-05T10:00:00.000000+02:00',
    '2026-05-05T10:00:01.000000+02:00',
    '2026-05-05T10:00:00.000000+02:00',
  ]);
});

test('a time in REIN_NOW stands still and keeps its offset', async () => {
  const { host, clock } = told('2030-01-02T23:59:59.123456-05:30');
  host.clock.advance(1000);
  expect(await read(clock)).toBe('2030-01-02T23:59:59.123456-05:30');
});

test('a file named in REIN_NOW is read at each look', async () => {
  const { host, clock } = told('@now');
  host.files.put('/w/now', '2030-01-02T23:59:00+01:00\n');
  const times = [await read(clock)];
  host.files.put('/w/now', '2030-01-03T00:01:00+01:00');
  times.push(await read(clock));
  expect(times).toEqual(['2030-01-02T23:59:00.000000+01:00', '2030-01-03T00:01:00.000000+01:00']);
});

test('anything else is refused when the clock is made', () => {
  expect(() => told('yesterday')).toThrow(
    expect.objectContaining({
      code: 'config/bad-time',
      message: 'REIN_NOW is "yesterday"; it must be an RFC 3339 time such as 2026-11-30T21:04:05+02:00',
    }),
  );
});

test.each([
  [
    'holds something else',
    'noon',
    'REIN_NOW names /w/now, which holds something else; it must be an RFC 3339 time such as 2026-11-30T21:04:05+02:00',
  ],
  ['is too large for a time', ' '.repeat(2000), 'REIN_NOW names a file that cannot be read: /w/now: over 1024 bytes'],
])('a named file that %s is refused at the look', async (_name, content, message) => {
  const { host, clock } = told('@/w/now');
  host.files.put('/w/now', content);
  await expect(clock.now()).rejects.toMatchObject({ code: 'config/bad-time', message });
});
