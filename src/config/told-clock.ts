import { resolve } from 'node:path';
import { type Instant, parseRfc3339, UsageError } from '../base/index.ts';
import type { ClockPort, EnvPort, FilePort } from '../host/index.ts';

/** The clock that the model is told; timeouts and file times keep the real one. */
export interface ToldClock {
  /** Throws UsageError `config/bad-time` when the file that REIN_NOW names holds no RFC 3339 time. */
  now(): Promise<Instant>;
}

const MAX_TIME_FILE_BYTES = 1024;

/**
 * `REIN_NOW`: an RFC 3339 time, its offset kept, or `@FILE` (relative to where the program was started), read at each
 * look. Unset or empty: the real clock. Throws UsageError `config/bad-time` for any other value.
 */
export function toldClock(clock: ClockPort, env: EnvPort, files: FilePort): ToldClock {
  const told = env.get('REIN_NOW');
  if (told === undefined || told === '') return { now: async () => clock.now() };
  if (told.startsWith('@')) return clockInFile(resolve(env.cwd(), told.slice(1)), files);
  const instant = parseRfc3339(told);
  if (instant === undefined) throw badTime(`REIN_NOW is ${JSON.stringify(told.slice(0, 64))}`, { value: told });
  return { now: async () => instant };
}

function clockInFile(path: string, files: FilePort): ToldClock {
  return {
    now: async () => {
      const read = await files.readRegular(path, { maxBytes: MAX_TIME_FILE_BYTES });
      if (!read.ok) {
        throw new UsageError('config/bad-time', `REIN_NOW names a file that cannot be read: ${path}: ${read.detail}`, {
          data: { path, why: read.why },
        });
      }
      const instant = parseRfc3339(new TextDecoder().decode(read.bytes));
      if (instant === undefined) throw badTime(`REIN_NOW names ${path}, which holds something else`, { path });
      return instant;
    },
  };
}

function badTime(what: string, data: Record<string, unknown>): UsageError {
  return new UsageError('config/bad-time', `${what}; it must be an RFC 3339 time such as 2026-11-30T21:04:05+02:00`, {
    data,
  });
}
