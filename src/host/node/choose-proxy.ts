import { isLoopback } from '../index.ts';

/**
 * The proxy for this address by the usual variables (lower case first), or null for none. Loopback never goes through
 * a proxy; `no_proxy` is a list of host names or suffixes, each with an optional port, or `*`.
 */
export function chooseProxy(url: URL, get: (name: string) => string | undefined): URL | null {
  const variable = (name: string): string => get(name) || get(name.toUpperCase()) || '';
  const setting = variable(url.protocol === 'https:' ? 'https_proxy' : 'http_proxy') || variable('all_proxy');
  if (setting === '' || isLoopback(url.hostname) || isExcepted(url, variable('no_proxy'))) return null;
  const address = setting.includes('://') ? setting : `http://${setting}`;
  return URL.canParse(address) ? new URL(address) : new URL('unknown://');
}

function isExcepted(url: URL, list: string): boolean {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80');
  return list.split(/[\s,]+/).some((entry) => {
    if (entry === '*') return true;
    const match = /^\*?\.?(.*?)(?::(\d+))?$/.exec(entry.toLowerCase());
    const suffix = match?.[1] ?? '';
    if (suffix === '' || (match?.[2] !== undefined && match[2] !== port)) return false;
    return url.hostname === suffix || url.hostname.endsWith(`.${suffix}`);
  });
}
