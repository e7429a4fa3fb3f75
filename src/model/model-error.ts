import { ReinError } from '../base/index.ts';

export type ModelFault =
  | 'aborted'
  | 'auth'
  | 'quota'
  | 'rate-limit'
  | 'overflow'
  | 'bad-request'
  | 'not-found'
  | 'server'
  | 'network'
  | 'timeout'
  | 'truncated'
  | 'malformed'
  | 'rehearsal'
  | 'internal';

/** A model did not answer, or not to its end. `code` is `model/` and the fault; `data`: status, url, body (bounded). */
export class ModelError extends ReinError {
  readonly fault: ModelFault;

  constructor(fault: ModelFault, message: string, data: Record<string, unknown> = {}, cause?: unknown) {
    super(`model/${fault}`, message, {
      data,
      cause,
      retryable: ['rate-limit', 'server', 'network', 'timeout', 'truncated'].includes(fault),
    });
    this.fault = fault;
  }
}
