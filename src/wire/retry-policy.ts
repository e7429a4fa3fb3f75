import type { RandomPort } from '../host/index.ts';

export type RetryPolicy = {
  /** Attempts after the first; 0: none. */
  max: number;
  /** Wait before the first of them, milliseconds; each later one waits twice as long. */
  baseMs: number;
  /** The longest wait that a server's Retry-After is granted. Longer: not tried again. */
  longestMs: number;
};

export const DEFAULT_RETRY: RetryPolicy = { max: 5, baseMs: 1000, longestMs: 120_000 };

/**
 * Milliseconds to wait before attempt `attempt` (1: the first repetition): what the server asked for, else the
 * backoff of 1, 2, 4, 8, 16 s with up to a quarter more or less, so that many clients do not come back together.
 * Null: the server asks for more than the policy grants, so nothing is gained by waiting.
 */
export function retryDelay(
  policy: RetryPolicy,
  attempt: number,
  asked: number | undefined,
  random: RandomPort,
): number | null {
  if (asked !== undefined) return asked <= policy.longestMs ? asked : null;
  const spread = ((random.bytes(1)[0] ?? 128) - 128) / 512;
  return Math.round(policy.baseMs * 2 ** (attempt - 1) * (1 + spread));
}
