import type { ToolFailure } from '../../model/index.ts';

/** An address that may be asked for. `href` without fragment; `host` in lower case, without port or final dot. */
export type Address = { href: string; host: string };

const MAX_LENGTH = 8 * 1024;

/** `mask`: what hides secrets; an address in which it finds one is not sent anywhere. */
export function parseAddress(
  text: string,
  mask: ((text: string) => string) | undefined,
): { address: Address } | { error: ToolFailure } {
  const shown = JSON.stringify(text.slice(0, 200));
  if (text.length > MAX_LENGTH) return refuse('fetch/bad-url', `The address is longer than ${MAX_LENGTH} characters.`);
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || (url.protocol !== 'http:' && url.protocol !== 'https:')) {
    return refuse('fetch/bad-url', `${shown} is no http or https address.`);
  }
  if (url.username !== '' || url.password !== '') {
    return refuse('fetch/bad-url', 'An address with a user name or a password is not fetched.');
  }
  url.hash = '';
  if (mask !== undefined && mask(url.href) !== url.href) {
    return refuse('fetch/secret', 'The address holds what looks like a secret. It was not sent.');
  }
  return { address: { href: url.href, host: hostOf(url) } };
}

/** As the permissions name a host. Null: no such address. */
export function hostOfAddress(text: string): string | null {
  return URL.canParse(text) ? hostOf(new URL(text)) : null;
}

function hostOf({ hostname }: URL): string {
  return hostname.toLowerCase().replace(/\.$/, '');
}

function refuse(code: string, message: string): { error: ToolFailure } {
  return { error: { code, message } };
}
