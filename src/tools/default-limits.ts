import type { Limits } from './contract/index.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** What every tool keeps to unless a caller says otherwise. */
export const DEFAULT_LIMITS: Limits = {
  fileBytes: 10 * MIB,
  resultBytes: 48 * KIB,
  lineBytes: 2 * KIB,
  headBytes: 12 * KIB,
  tailBytes: 20 * KIB,
  spillBytes: 64 * MIB,
  commandTimeoutMs: 120_000,
  commandTimeoutMaxMs: 600_000,
};
