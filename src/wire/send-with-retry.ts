import type { HostPorts } from '../host/index.ts';
import { HttpError } from '../host/index.ts';
import { ModelError, type ModelEvent, type ModelFault } from '../model/index.ts';
import { isLocalHost } from './endpoint.ts';
import { networkHint } from './network-failure.ts';
import { type RetryPolicy, retryDelay } from './retry-policy.ts';

const LOCAL_REFUSALS = 2;

export type RetryContext = {
  host: Pick<HostPorts, 'clock' | 'random'>;
  policy: RetryPolicy;
  /** Hidden wherever they might be quoted. */
  secrets: readonly string[];
  signal: AbortSignal;
};

/**
 * Runs `attempt` until one is through. It is repeated after a passing failure only while nothing of the answer was
 * delivered: after that a lost stream is the caller's to judge. Announces each wait. Throws ModelError, `data.attempts`
 * says how many there were; `aborted` at once when the signal aborts, also while waiting.
 */
export async function* sendWithRetry(
  context: RetryContext,
  attempt: () => AsyncIterable<ModelEvent>,
): AsyncGenerator<ModelEvent> {
  for (let attempts = 1; ; attempts += 1) {
    let delivered = false;
    try {
      throwIfAborted(context.signal);
      for await (const event of attempt()) {
        throwIfAborted(context.signal);
        delivered = true;
        yield event;
      }
      return;
    } catch (error) {
      const failure = asModelError(error, context, attempts);
      const delayMs = delivered ? null : delayAfter(failure, attempts, context);
      if (delayMs === null) throw failure;
      yield { type: 'retry-wait', attempt: attempts, delayMs, why: failure.message };
      await context.host.clock.sleep(delayMs, context.signal);
    }
  }
}

function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new ModelError('aborted', 'the request was aborted');
}

function delayAfter(failure: ModelError, attempts: number, context: RetryContext): number | null {
  if (!failure.isRetryable || attempts > mostRetries(failure, context.policy)) return null;
  const asked = failure.data.retryAfterMs;
  return retryDelay(context.policy, attempts, typeof asked === 'number' ? asked : undefined, context.host.random);
}

/** A server on this machine that does not listen is not there: it is waited for about as long as one takes to restart. */
function mostRetries({ cause, data }: ModelError, { max }: RetryPolicy): number {
  const isAbsent = cause instanceof HttpError && cause.fault === 'refused' && isLocalHost(String(data.url));
  return isAbsent ? Math.min(max, LOCAL_REFUSALS) : max;
}

const FAULTS: Readonly<Record<HttpError['fault'], ModelFault>> = {
  aborted: 'aborted',
  timeout: 'timeout',
  refused: 'network',
  reset: 'network',
  dns: 'network',
  failed: 'network',
  // Neither a wrong certificate nor a wrong URL or header gets better by asking again.
  tls: 'bad-request',
  'invalid-url': 'bad-request',
  'invalid-header': 'bad-request',
  forbidden: 'bad-request',
};

function asModelError(error: unknown, context: RetryContext, attempts: number): ModelError {
  if (context.signal.aborted) return new ModelError('aborted', 'the request was aborted', { attempts }, error);
  if (error instanceof ModelError) {
    const data = { ...error.data, attempts };
    return new ModelError(error.fault, hide(error.message, context), hideIn(data, context), error.cause);
  }
  if (error instanceof HttpError) {
    const data = hideIn({ ...error.data, attempts }, context);
    return new ModelError(FAULTS[error.fault], hide(error.message + networkHint(error), context), data, error);
  }
  throw error;
}

function hide(text: string, context: RetryContext): string {
  return context.secrets.reduce((hidden, secret) => hidden.replaceAll(secret, '[hidden]'), text);
}

function hideIn(data: Record<string, unknown>, context: RetryContext): Record<string, unknown> {
  const entries = Object.entries(data).map(([name, value]) => [
    name,
    typeof value === 'string' ? hide(value, context) : value,
  ]);
  return Object.fromEntries(entries);
}
