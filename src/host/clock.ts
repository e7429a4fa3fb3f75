import type { Instant } from '../base/index.ts';

export interface ClockPort {
  now(): Instant;
  /** Never goes back; for durations, milliseconds. */
  monotonicMs(): number;
  /** Resolves after `ms`, or at once when the signal aborts (it does not throw). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}
