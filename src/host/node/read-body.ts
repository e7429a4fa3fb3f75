import type { IncomingMessage } from 'node:http';
import { httpError, timeoutError, toHttpError } from './http-fault.ts';

/**
 * The answer's body as it comes. Only the reader's waiting counts as idle: time that the consumer takes for a chunk
 * does not. Ends the connection when the reader stops early, aborts, or waits longer than `idleMs`.
 */
export function readBody(
  incoming: IncomingMessage,
  options: { url: URL; signal: AbortSignal; idleMs: number | null },
): AsyncIterable<Uint8Array> {
  const { url, signal, idleMs } = options;
  let timer: NodeJS.Timeout | undefined;
  const onAbort = (): void => {
    incoming.destroy(httpError('aborted', url, 'body', null));
  };
  signal.addEventListener('abort', onAbort, { once: true });
  incoming.once('close', () => {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  });
  // The reader gets the error from the iteration; without a listener an error before that would end the process.
  incoming.on('error', () => undefined);
  const watch = (): void => {
    if (idleMs === null) return;
    timer = setTimeout(() => incoming.destroy(timeoutError(url, 'body', idleMs)), idleMs);
  };

  return {
    async *[Symbol.asyncIterator]() {
      const chunks = incoming[Symbol.asyncIterator]() as AsyncIterator<Buffer>;
      try {
        for (;;) {
          watch();
          const next = await chunks.next();
          clearTimeout(timer);
          if (next.done === true) break;
          yield next.value;
        }
        if (!incoming.complete) throw httpError('reset', url, 'body', null);
      } catch (error) {
        throw signal.aborted ? httpError('aborted', url, 'body', null) : toHttpError(url, 'body', error);
      } finally {
        clearTimeout(timer);
        incoming.destroy();
      }
    },
  };
}
