import { performance } from 'node:perf_hooks';
import type { ClockPort } from '../index.ts';

// The longest delay that setTimeout takes; a longer one would fire at once.
const LONGEST_TIMER_MS = 2_147_483_647;

/** Microseconds come from the monotonic clock, as long as it agrees with the system's to within 2 ms. */
function preciseNow(): { epochMs: number; micros: number } {
  const system = Date.now();
  const precise = performance.timeOrigin + performance.now();
  if (Math.abs(precise - system) > 2) return { epochMs: system, micros: 0 };
  const epochMs = Math.floor(precise);
  return { epochMs, micros: Math.min(999, Math.floor((precise - epochMs) * 1000)) };
}

export function createNodeClock(): ClockPort {
  return {
    now() {
      const { epochMs, micros } = preciseNow();
      return { epochMs, micros, offsetMinutes: 0 - new Date(epochMs).getTimezoneOffset() };
    },
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
      for (let rest = ms; rest > 0 && signal?.aborted !== true; rest -= LONGEST_TIMER_MS) {
        await pause(Math.min(rest, LONGEST_TIMER_MS), signal);
      }
    },
  };
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
