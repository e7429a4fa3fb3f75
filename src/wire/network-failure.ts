import { type HttpError, isLoopback } from '../host/index.ts';

/** What to do about a connection that did not come about, as the end of a message; empty where nothing is known. */
export function networkHint({ fault, data }: HttpError): string {
  const url = typeof data.url === 'string' && URL.canParse(data.url) ? data.url : null;
  const code = typeof data.systemCode === 'string' ? data.systemCode : '';
  if (data.proxy !== undefined) return ': correct HTTP_PROXY or HTTPS_PROXY, or put the host into NO_PROXY';
  if (fault === 'refused') return refusedHint(url, data.status);
  if (fault === 'dns') return ': check the base URL and the network';
  if (fault === 'tls') return `: ${tlsHint(code, url)}`;
  return '';
}

function refusedHint(url: string | null, proxyStatus: unknown): string {
  if (proxyStatus === 407)
    return ': put user name and password into the address in HTTPS_PROXY, or the host into NO_PROXY';
  if (typeof proxyStatus === 'number') return ': put the host into NO_PROXY if it needs no proxy';
  return url !== null && isLoopback(new URL(url).hostname) ? ': is the server running, and on this port?' : '';
}

function tlsHint(code: string, url: string | null): string {
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG' || code === 'EPROTO') {
    return `the server speaks no TLS there: try ${url === null ? 'http:' : `http://${new URL(url).host}`} in the base URL`;
  }
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired';
  if (code === 'CERT_NOT_YET_VALID') return 'its certificate is not valid yet: check the clock of this machine';
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'its certificate is for another name: check the base URL';
  return 'if its certificate comes from an authority of your own, set NODE_EXTRA_CA_CERTS to the file of that authority';
}
