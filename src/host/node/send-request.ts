import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { HttpRequest, HttpResponse } from '../index.ts';
import { type HttpPhase, httpError, timeoutError, toHttpError } from './http-fault.ts';
import { readBody } from './read-body.ts';

/** Where requests go: kept connections, or one tunnel through a proxy. */
export type Connections = {
  open(url: URL, options: RequestOptions): ClientRequest;
};

/** Resolves at the answer's headers; throws HttpError. */
export async function sendRequest(request: HttpRequest, url: URL, connections: Connections): Promise<HttpResponse> {
  for (;;) {
    const exchange = new Exchange(request, url);
    try {
      return await exchange.run(connections);
    } catch (error) {
      // The server closed a kept connection while it was idle: nothing was answered on it, so a new one is taken.
      if (!exchange.wasStale) throw error;
    }
  }
}

/** One attempt: its phase, the one timer that runs, and the one end it can have. */
class Exchange {
  readonly #request: HttpRequest;
  readonly #url: URL;
  #phase: HttpPhase = 'connect';
  #timer: NodeJS.Timeout | undefined;
  #settled = false;
  wasStale = false;

  constructor(request: HttpRequest, url: URL) {
    this.#request = request;
    this.#url = url;
  }

  run(connections: Connections): Promise<HttpResponse> {
    const { signal } = this.#request;
    return new Promise<HttpResponse>((resolve, reject) => {
      if (signal.aborted) return reject(httpError('aborted', this.#url, this.#phase, null));
      let outgoing: ClientRequest;
      try {
        outgoing = connections.open(this.#url, this.#options());
      } catch (error) {
        return reject(toHttpError(this.#url, this.#phase, error));
      }
      const settle = (): void => {
        this.#settled = true;
        clearTimeout(this.#timer);
        signal.removeEventListener('abort', abort);
      };
      const fail = (error: unknown): void => {
        if (this.#settled) return;
        settle();
        this.wasStale = isStale(outgoing, error);
        reject(toHttpError(this.#url, this.#phase, error));
        outgoing.destroy();
      };
      const abort = (): void => fail(httpError('aborted', this.#url, this.#phase, null));
      signal.addEventListener('abort', abort, { once: true });
      outgoing.on('error', fail);
      this.#watchPhases(outgoing, fail);
      outgoing.once('response', (incoming) => {
        settle();
        resolve(this.#respond(incoming));
      });
      outgoing.end(this.#request.body);
    });
  }

  #options(): RequestOptions {
    return { method: this.#request.method, headers: { ...this.#request.headers } };
  }

  #respond(incoming: IncomingMessage): HttpResponse {
    const { signal, timeouts } = this.#request;
    return {
      status: incoming.statusCode ?? 0,
      headers: joinHeaders(incoming),
      body: readBody(incoming, { url: this.#url, signal, idleMs: timeouts.idleMs }),
    };
  }

  #watchPhases(outgoing: ClientRequest, fail: (error: unknown) => void): void {
    const { connectMs, headersMs } = this.#request.timeouts;
    const limit = (phase: HttpPhase, ms: number | null): void => {
      if (this.#settled) return;
      this.#phase = phase;
      clearTimeout(this.#timer);
      if (ms !== null) this.#timer = setTimeout(() => fail(timeoutError(this.#url, phase, ms)), ms);
    };
    limit('connect', connectMs);
    outgoing.once('socket', (socket) => {
      // The upload counts too: it may take as long as the answer may, then the answer's own time begins.
      const connected = (): void => limit('headers', headersMs);
      const secure = this.#url.protocol === 'https:';
      if (outgoing.reusedSocket || (!secure && !socket.connecting)) return connected();
      socket.once(secure ? 'secureConnect' : 'connect', connected);
    });
    outgoing.once('finish', () => {
      if (this.#phase === 'headers') limit('headers', headersMs);
    });
  }
}

function isStale(outgoing: ClientRequest, error: unknown): boolean {
  const code = (error as { code?: unknown }).code;
  return outgoing.reusedSocket && (code === 'ECONNRESET' || code === 'EPIPE');
}

function joinHeaders(incoming: IncomingMessage): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(', ') : value;
  }
  return headers;
}
