import type { ContextReport } from '../model/index.ts';
import type { AgentOptions } from '../runtime/index.ts';

export type ContextOptions = AgentOptions & {
  /** The user's message of the previewed request; default `hello`. */
  prompt?: string;
  /** A stored session, by id or unique prefix; with `request` what its n-th request (1-based) was sent. */
  storedSession?: string;
  request?: number;
};

export type ContextAnswer = {
  report: ContextReport;
  /** The exact HTTP body. */
  body: string;
};
