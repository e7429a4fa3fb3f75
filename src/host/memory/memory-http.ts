import { AsyncQueue } from '../../base/index.ts';
import {
  HttpError,
  type HttpPort,
  type HttpRequest,
  type HttpResponse,
  type HttpServer,
  type ServedRequest,
  type ServedResponse,
} from '../index.ts';

/** Answers requests that no listening handler takes. */
export type HttpScript = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

type Handler = (request: ServedRequest, response: ServedResponse) => Promise<void>;

/**
 * Requests go to the handler that listens on their port of 127.0.0.1, in this process, else to the script, else they
 * are refused. Aborting works in every phase; timeouts do not (those are the real client's own).
 */
export class MemoryHttp implements HttpPort {
  readonly requests: HttpRequest[] = [];
  readonly #script: HttpScript | undefined;
  readonly #addresses: Readonly<Record<string, readonly string[]>>;
  readonly #handlers = new Map<number, Handler>();

  constructor(script: HttpScript | undefined, addresses: Readonly<Record<string, readonly string[]>>) {
    this.#script = script;
    this.#addresses = addresses;
  }

  async request(request: HttpRequest): Promise<HttpResponse> {
    this.requests.push(request);
    if (!URL.canParse(request.url))
      throw new HttpError('invalid-url', 'not an http:// or https:// address', { url: '' });
    const url = new URL(request.url);
    if (request.signal.aborted) throw fault('aborted', url, 'connect');
    const bare = url.hostname.replace(/^\[|\]$/g, '');
    const address = (this.#addresses[bare] ?? [bare]).find((one) => request.allowAddress?.(one) === false);
    if (address !== undefined) {
      const data = { url: `${url.protocol}//${url.host}${url.pathname}`, phase: 'connect', systemCode: null, address };
      throw new HttpError('forbidden', `${url.host}: the address ${address} is not allowed`, data);
    }
    const handler = url.hostname === '127.0.0.1' ? this.#handlers.get(Number(url.port)) : undefined;
    if (handler !== undefined) return exchange(request, url, handler);
    if (this.#script === undefined) throw fault('refused', url, 'connect');
    return this.#script(request);
  }

  async listen(port: number, handler: Handler): Promise<HttpServer> {
    const taken = port === 0 ? 40_000 + this.#handlers.size : port;
    if (this.#handlers.has(taken)) {
      throw new HttpError('failed', `cannot listen on 127.0.0.1:${taken} (EADDRINUSE)`, {
        url: `http://127.0.0.1:${taken}`,
        phase: 'listen',
        systemCode: 'EADDRINUSE',
      });
    }
    this.#handlers.set(taken, handler);
    return {
      url: `http://127.0.0.1:${taken}`,
      close: async () => void this.#handlers.delete(taken),
    };
  }
}

function fault(kind: 'aborted' | 'refused' | 'reset', url: URL, phase: string): HttpError {
  const safe = `${url.protocol}//${url.host}${url.pathname}`;
  return new HttpError(kind, `${url.host}: ${kind}`, { url: safe, phase, systemCode: null });
}

function exchange(request: HttpRequest, url: URL, handler: Handler): Promise<HttpResponse> {
  const body = new AsyncQueue<Uint8Array>();
  const closed = new AbortController();
  return new Promise((resolve, reject) => {
    let started = false;
    const cut = (kind: 'aborted' | 'reset'): void => {
      if (closed.signal.aborted) return;
      closed.abort();
      reject(fault(kind, url, 'headers'));
      body.fail(fault(kind, url, 'body'));
    };
    const onAbort = (): void => cut('aborted');
    request.signal.addEventListener('abort', onAbort, { once: true });
    const start: ServedResponse['start'] = (status, headers) => {
      started = true;
      const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
      resolve({ status, headers: Object.fromEntries(lower), body });
    };
    const response: ServedResponse = {
      start,
      async write(chunk) {
        if (closed.signal.aborted) return false;
        if (!started) start(200, {});
        body.push(typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk);
        return true;
      },
      end() {
        if (closed.signal.aborted) return;
        if (!started) start(200, {});
        body.close();
        request.signal.removeEventListener('abort', onAbort);
        closed.abort();
      },
      reset: () => cut('reset'),
      closed: closed.signal,
    };
    handler(served(request, url), response).catch(() => cut('reset'));
  });
}

function served(request: HttpRequest, url: URL): ServedRequest {
  const lower = Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const { body = '' } = request;
  return {
    method: request.method,
    target: `${url.pathname}${url.search}`,
    headers: { host: url.host, ...Object.fromEntries(lower) },
    body: typeof body === 'string' ? Buffer.from(body, 'utf8') : body,
  };
}
