import { type Instant, parseRfc3339, UsageError } from '../../base/index.ts';
import type { ClockPort } from '../index.ts';

/**
 * A clock that stands still. `sleep` moves it ahead and returns at once ('instant'), or waits until `advance` has
 * moved it far enough ('manual').
 */
export class MemoryClock implements ClockPort {
  #now: Instant;
  #elapsedMs = 0;
  readonly #sleep: 'instant' | 'manual';
  readonly #sleepers = new Set<{ until: number; wake: () => void }>();
  /** What was slept for, in ms, in order. */
  readonly slept: number[] = [];

  constructor(time: string, sleep: 'instant' | 'manual') {
    this.#now = read(time);
    this.#sleep = sleep;
  }

  now(): Instant {
    return { ...this.#now };
  }

  monotonicMs(): number {
    return this.#elapsedMs;
  }

  /** RFC 3339, with the offset that the local clock is to have. */
  set(time: string): void {
    this.#now = read(time);
  }

  advance(ms: number): void {
    this.#elapsedMs += ms;
    this.#now = { ...this.#now, epochMs: this.#now.epochMs + ms };
    const due = [...this.#sleepers].filter((sleeper) => sleeper.until <= this.#elapsedMs);
    for (const sleeper of due.sort((left, right) => left.until - right.until)) sleeper.wake();
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    if (signal?.aborted === true) return;
    this.slept.push(ms);
    if (this.#sleep === 'instant') {
      this.advance(ms);
      return;
    }
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { until: this.#elapsedMs + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });
  }
}

function read(time: string): Instant {
  const instant = parseRfc3339(time);
  if (instant === undefined) throw new UsageError('memory/time', `not an RFC 3339 time: ${time}`);
  return instant;
}
