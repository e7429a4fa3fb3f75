import { ReinError } from '../base/index.ts';

export type HttpFault =
  | 'aborted'
  | 'timeout'
  | 'refused'
  | 'reset'
  | 'dns'
  /** `allowAddress` said no; `data.address`. */
  | 'forbidden'
  | 'tls'
  | 'invalid-url'
  /** A header holds what no header can: a line break in a key, for one. The value is not repeated. */
  | 'invalid-header'
  | 'failed';

/** No complete answer came. `code` is `http/` and the fault; `data`: url (without credentials), systemCode, phase. */
export class HttpError extends ReinError {
  readonly fault: HttpFault;

  constructor(fault: HttpFault, message: string, data: Record<string, unknown>, cause?: unknown) {
    super(`http/${fault}`, message, {
      data,
      cause,
      retryable: ['timeout', 'refused', 'reset', 'dns', 'failed'].includes(fault),
    });
    this.fault = fault;
  }
}
