import type { ModelPort, PreparedRequest, TransientEvent } from '../model/index.ts';
import type { AgentParts } from './parts.ts';
import { type Answer, readAnswer } from './read-answer.ts';

/** Times that one request is sent again after its stream broke off in the middle. */
const MAX_LOST_STREAMS = 3;

export type ReadScope = {
  parts: Pick<AgentParts, 'host'>;
  port: ModelPort;
  signal: AbortSignal;
  emit(event: TransientEvent): void;
};

/** The stream ended inside a call's arguments, without a finish. */
export function brokeInsideCall({ error, openCalls }: Answer): boolean {
  return openCalls.length > 0 && (error?.fault === 'truncated' || error?.fault === 'network');
}

/**
 * The answer to a request. A stream lost after its beginning is asked for again, with the same body: nothing of it was
 * run. Not one that was lost inside a call: a server at its output limit would break it off at the same place again.
 * `most`: times at the most, fewer where the user lets a request be sent again less often.
 */
export async function readAgain(
  request: PreparedRequest,
  { parts, port, signal, emit }: ReadScope,
  most: number = MAX_LOST_STREAMS,
): Promise<Answer> {
  const times = Math.min(most, port.retries ?? most);
  for (let attempt = 1; ; attempt += 1) {
    const answer = await readAnswer(request.send(signal), emit, signal);
    const lost = answer.error?.isRetryable === true && answer.begun && !signal.aborted;
    if (!lost || brokeInsideCall(answer) || attempt > times) return answer;
    const delayMs = 1000 * 2 ** (attempt - 1);
    emit({ type: 'retry-wait', attempt, delayMs, why: answer.error?.message ?? 'the stream was lost' });
    await parts.host.clock.sleep(delayMs, signal);
  }
}
