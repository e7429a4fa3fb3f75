import { type EnvPort, HttpError, type HttpPort, type HttpRequest } from '../index.ts';
import { chooseProxy } from './choose-proxy.ts';
import { safeUrl } from './http-fault.ts';
import { type Connections, sendRequest } from './send-request.ts';

/**
 * HTTP/1.1 over `node:http` and `node:https`, each loaded at the first request that needs it. Idle connections are
 * kept for the next request and do not keep the process alive.
 */
export function createNodeHttp(env: EnvPort): HttpPort {
  const kept = new Map<string, Promise<Connections>>();
  const keep = (protocol: string): Promise<Connections> => {
    const connections = kept.get(protocol) ?? openConnections(protocol);
    kept.set(protocol, connections);
    return connections;
  };
  return {
    async request(request) {
      const url = parseUrl(request);
      const proxy = chooseProxy(url, (name) => env.get(name));
      if (request.allowAddress !== undefined) {
        const { checkAddresses, checkedConnections } = await import('./checked-addresses.ts');
        if (proxy === null) return sendRequest(request, url, await checkedConnections(url, request.allowAddress));
        await checkAddresses(url, request.allowAddress);
      }
      if (proxy === null) return sendRequest(request, url, await keep(url.protocol));
      const { openRoute, namingProxy } = await import('./proxy-route.ts');
      try {
        return await sendRequest(request, url, await openRoute(proxy, url, request));
      } catch (error) {
        throw namingProxy(error, proxy, url);
      }
    },
    async listen(port, handler) {
      const { listenOnLoopback } = await import('./listen-on-loopback.ts');
      return listenOnLoopback(port, handler);
    },
  };
}

function parseUrl(request: HttpRequest): URL {
  const url = URL.canParse(request.url) ? new URL(request.url) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new HttpError('invalid-url', 'not an http:// or https:// address', {
    url: url === undefined ? '' : safeUrl(url),
  });
}

async function openConnections(protocol: string): Promise<Connections> {
  const { Agent, request } = protocol === 'https:' ? await import('node:https') : await import('node:http');
  const agent = new Agent({ keepAlive: true, maxFreeSockets: 4 });
  return { open: (url, options) => request(url, { ...options, agent }) };
}
