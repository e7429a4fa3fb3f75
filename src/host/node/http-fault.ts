import { HttpError, type HttpFault } from '../index.ts';

/** Where in its life a request was: connecting (TLS and proxy included), waiting for the answer, reading its body. */
export type HttpPhase = 'connect' | 'headers' | 'body';

const BY_CODE: Readonly<Record<string, HttpFault>> = {
  ECONNREFUSED: 'refused',
  ECONNRESET: 'reset',
  EPIPE: 'reset',
  ENOTFOUND: 'dns',
  EAI_AGAIN: 'dns',
  EAI_FAIL: 'dns',
  ETIMEDOUT: 'timeout',
  EPROTO: 'tls',
  ERR_INVALID_CHAR: 'invalid-header',
  ERR_INVALID_HTTP_TOKEN: 'invalid-header',
  ERR_UNESCAPED_CHARACTERS: 'invalid-url',
};

const WORDS: Readonly<Record<HttpFault, string>> = {
  aborted: 'aborted',
  timeout: 'timed out',
  refused: 'connection refused',
  reset: 'connection lost',
  dns: 'the host name was not found',
  forbidden: 'the address is not allowed',
  tls: 'no trusted TLS connection',
  'invalid-url': 'the address cannot be requested',
  'invalid-header': 'a header holds a character that is not allowed',
  failed: 'the request failed',
};

const TLS_CODE = /^(?:ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA)/;

/** Without user name, password and query: those can hold secrets. */
export function safeUrl(url: URL): string {
  return `${url.protocol}//${url.host}${url.pathname}`;
}

export function toHttpError(url: URL, phase: HttpPhase, error: unknown): HttpError {
  if (error instanceof HttpError) return error;
  const code = errorCode(error);
  const fault = BY_CODE[code] ?? (TLS_CODE.test(code) ? 'tls' : 'failed');
  return httpError(fault, url, phase, code, error);
}

export function httpError(
  fault: HttpFault,
  url: URL,
  phase: HttpPhase,
  systemCode: string | null,
  cause?: unknown,
): HttpError {
  const detail = systemCode === null ? '' : ` (${systemCode})`;
  return new HttpError(fault, `${url.host}: ${WORDS[fault]}${detail}`, { url: safeUrl(url), phase, systemCode }, cause);
}

export function forbiddenError(url: URL, address: string): HttpError {
  const message = `${url.host}: the address ${address} is not allowed`;
  return new HttpError('forbidden', message, { url: safeUrl(url), phase: 'connect', systemCode: null, address });
}

export function timeoutError(url: URL, phase: HttpPhase, limitMs: number): HttpError {
  const waited = { connect: 'no connection', headers: 'no answer', body: 'no further data' }[phase];
  const message = `${url.host}: ${waited} within ${limitMs / 1000} s`;
  return new HttpError('timeout', message, { url: safeUrl(url), phase, systemCode: null, limitMs });
}

// When all of a host's addresses fail, Node throws one error that holds the others.
function errorCode(error: unknown): string {
  const { code, errors } = (error ?? {}) as { code?: unknown; errors?: unknown };
  if (typeof code === 'string') return code;
  return Array.isArray(errors) && errors.length > 0 ? errorCode(errors[0]) : 'UNKNOWN';
}
