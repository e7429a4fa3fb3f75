import { ReinError } from '../base/index.ts';

export type HttpFault = 'aborted' | 'timeout' | 'refused' | 'reset' | 'dns' | 'tls' | 'invalid-url' | 'failed';

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
