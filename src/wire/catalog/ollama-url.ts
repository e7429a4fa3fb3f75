import { parseBaseUrl } from '../endpoint.ts';

/** OLLAMA_HOST as its own client takes it: `host`, `:port`, `host:port` or a URL; a listen-everywhere address is here. */
export function ollamaUrl(host: string): string {
  const text = /^https?:\/\//.test(host) ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`;
  const url = parseBaseUrl(text);
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  const portGiven = url.port !== '' || /^https?:\/\//.test(host) || /:\d+$/.test(host);
  if (!portGiven) url.port = '11434';
  return url.pathname === '/' ? `${url.origin}/v1` : url.href;
}
