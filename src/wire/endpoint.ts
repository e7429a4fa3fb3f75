import { UsageError } from '../base/index.ts';
import type { HttpTimeouts } from '../host/index.ts';

/** The base URL with a path added; its query stays. Throws UsageError where the text is no http(s) URL. */
export function endpointUrl(baseUrl: string, path: string): string {
  const url = parseBaseUrl(baseUrl);
  url.pathname = url.pathname.replace(/\/+$/, '') + path;
  url.hash = '';
  return url.href;
}

export function parseBaseUrl(baseUrl: string): URL {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    throw new UsageError('wire/base-url', `the base URL "${baseUrl.slice(0, 200)}" is not an http or https URL`, {
      data: { baseUrl },
    });
  }
  return url;
}

/** Loopback, private and link-local ranges, `.local` and such, names without a dot. */
export function isLocalHost(url: string): boolean {
  const host = new URL(url).hostname.toLowerCase().replace(/\.$/, '');
  if (host.startsWith('[')) return /^\[(::1?\]|f[cd]|fe[89ab]|::ffff:(7f|a[0-9a-f]{0,2}:|c0a8:))/.test(host);
  if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) {
    return /^(0|10|127|169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))\./.test(host);
  }
  return !host.includes('.') || /\.(local|localhost|lan|internal|home\.arpa)$/.test(host);
}

const MINUTE = 60_000;

/**
 * A local model may read a long prompt for minutes before its first byte: no limit there but the user's patience.
 * Elsewhere 10 minutes to the headers and 5 between two chunks.
 */
export function defaultTimeouts(url: string): HttpTimeouts {
  return isLocalHost(url)
    ? { connectMs: 30_000, headersMs: null, idleMs: null }
    : { connectMs: 30_000, headersMs: 10 * MINUTE, idleMs: 5 * MINUTE };
}
