import { type ClientRequest, Agent as HttpAgent, request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { HttpError, type HttpRequest } from '../index.ts';
import { httpError, safeUrl, timeoutError, toHttpError } from './http-fault.ts';
import type { Connections } from './send-request.ts';

/**
 * A way to `url` through an HTTP proxy: a tunnel (CONNECT) for https, the absolute address in the request line for
 * http. Throws HttpError; its phase is `connect`.
 */
export async function openRoute(proxy: URL, url: URL, request: HttpRequest): Promise<Connections> {
  if (proxy.protocol !== 'http:' && proxy.protocol !== 'https:') {
    throw new HttpError(
      'failed',
      `the proxy ${proxy.protocol}//${proxy.host} is not supported: only http and https are`,
      {
        url: safeUrl(url),
        phase: 'connect',
        systemCode: null,
      },
    );
  }
  if (url.protocol === 'http:') return absoluteForm(proxy);
  const socket = await openTunnel(proxy, url, request);
  // TLS starts when the request does: its failures are the request's own. Node ignores this where an agent is given.
  const createConnection = (): Socket =>
    connectTls({ socket, servername: url.hostname.replace(/^\[|\]$/g, ''), ALPNProtocols: ['http/1.1'] });
  return { open: (target, options) => httpsRequest(target, { ...options, createConnection }) };
}

function openProxy(proxy: URL): typeof httpRequest {
  return proxy.protocol === 'https:' ? (httpsRequest as typeof httpRequest) : httpRequest;
}

function credentials(proxy: URL): Record<string, string> {
  if (proxy.username === '' && proxy.password === '') return {};
  const pair = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(pair).toString('base64')}` };
}

function bare(proxy: URL): URL {
  return new URL(`${proxy.protocol}//${proxy.host}`);
}

function absoluteForm(proxy: URL): Connections {
  return {
    open: (target, options) =>
      openProxy(proxy)(bare(proxy), {
        ...options,
        path: `${target.protocol}//${target.host}${target.pathname}${target.search}`,
        headers: { host: target.host, ...(options.headers as Record<string, string>), ...credentials(proxy) },
        ...(proxy.protocol === 'http:' ? { agent: new HttpAgent({ keepAlive: false }) } : { agent: false }),
      }),
  };
}

function openTunnel(proxy: URL, url: URL, request: HttpRequest): Promise<Socket> {
  const { signal, timeouts } = request;
  const authority = `${url.hostname}:${url.port || 443}`;
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(httpError('aborted', url, 'connect', null));
    const connect: ClientRequest = openProxy(proxy)(bare(proxy), {
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...credentials(proxy) },
      agent: false,
    });
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const fail = (error: unknown): void => {
      finish();
      reject(toHttpError(url, 'connect', error));
      connect.destroy();
    };
    const abort = (): void => fail(httpError('aborted', url, 'connect', null));
    const { connectMs } = timeouts;
    const expire = (): void => fail(timeoutError(url, 'connect', connectMs ?? 0));
    const timer = connectMs === null ? undefined : setTimeout(expire, connectMs);
    signal.addEventListener('abort', abort, { once: true });
    connect.on('error', fail);
    connect.once('response', (response) => fail(refusal(proxy, url, response.statusCode ?? 0)));
    connect.once('connect', (response, socket: Socket) => {
      if (response.statusCode !== 200) return fail(refusal(proxy, url, response.statusCode ?? 0));
      finish();
      resolve(socket);
    });
    connect.end();
  });
}

/** Where it is the proxy that is not there, its address is the one to look at. `data.proxy`: its host. */
export function namingProxy(error: unknown, proxy: URL, url: URL): unknown {
  if (!(error instanceof HttpError) || error.data.phase !== 'connect' || error.data.systemCode === null) return error;
  if (error.fault !== 'refused' && error.fault !== 'dns') return error;
  const message = `${url.host}: the proxy ${proxy.host}${error.message.slice(url.host.length)}`;
  return new HttpError(error.fault, message, { ...error.data, proxy: proxy.host }, error.cause);
}

function refusal(proxy: URL, url: URL, status: number): HttpError {
  const data = { url: safeUrl(url), phase: 'connect', systemCode: null, status };
  return new HttpError('refused', `${url.host}: the proxy ${proxy.host} answered ${status}`, data);
}
