import { isRecord, parseJson, screenLine } from '../base/index.ts';
import { ModelError, type ModelFault } from '../model/index.ts';
import { endpointUrl } from './endpoint.ts';
import { refusalHint } from './refusal-hint.ts';

/** What a server says went wrong, in an error answer's body or inside a stream. */
export type ProviderComplaint = { message: string; code: string };

/** Longest part of a server's words in a message, characters. */
const WORDS = 300;

/** Reads the usual forms: `{error: {message, code, type}}`, `{error: "…"}`, `{message}`, `{detail}`, a list of one. */
export function readComplaint(value: unknown): ProviderComplaint | undefined {
  const outer = Array.isArray(value) ? value[0] : value;
  if (!isRecord(outer)) return undefined;
  const inner = outer.error ?? outer;
  if (typeof inner === 'string') return { message: inner, code: textOf(outer.code) };
  if (!isRecord(inner)) return undefined;
  const message = inner.message ?? inner.detail ?? inner.error;
  const code = [inner.code, inner.type, inner.status].map(textOf).filter((part) => part !== '');
  if (message === undefined && outer.error === undefined) return undefined;
  return { message: typeof message === 'string' ? message : JSON.stringify(message ?? inner), code: code.join(' ') };
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

const OVERFLOW =
  /context.?(length|window|size)|maximum context|prompt is too long|input (is )?too long|too many (input )?tokens|model token limit|exceed\w* (the )?(available )?context|reduce the length|input token count/i;
const QUOTA =
  /insufficient.?(quota|balance|credits?|funds)|exceeded your current quota|exceeded_current_quota|billing|out of credits|credit balance|payment required/i;
const NO_PICTURES =
  /image input|(?:not|n't) support\w* (?:\w+ )?(?:image|vision|multi-?modal)|missing data required for image/i;
/** A start option of the server's own that is missing: llama.cpp says so with 500. */
const NOT_SET_UP = /requires --jinja/i;
/** LM Studio's answer to a wrong path, with 200. */
const NO_SUCH_PATH = /unexpected endpoint or method/i;
const TRY_AGAIN = /(try|retry) again (in|after)|retry in \d/i;

/**
 * The fault behind a status and a server's words. Quota is what waiting does not cure, as opposed to a rate limit; an
 * overflow is cured by a shorter request.
 */
export function faultOf(status: number, complaint: ProviderComplaint, retryAfter: number | undefined): ModelFault {
  const words = `${complaint.code} ${complaint.message}`;
  if (status === 401 || status === 403) return 'auth';
  if (status === 402) return 'quota';
  if (status === 429) {
    const passing = retryAfter !== undefined || TRY_AGAIN.test(words);
    return QUOTA.test(words) && (!passing || /insufficient/i.test(complaint.code)) ? 'quota' : 'rate-limit';
  }
  if ((status === 400 || status === 413 || status === 422 || status === 500) && OVERFLOW.test(words)) return 'overflow';
  // A local server's refusal of pictures, or of tools, is an internal error; asking again is no use.
  if (status === 500 && (NO_PICTURES.test(words) || NOT_SET_UP.test(words))) return 'bad-request';
  if (status === 404) return 'not-found';
  if (status >= 500 || status === 408 || status === 409 || status === 425 || status === 499) return 'server';
  return 'bad-request';
}

export type FailedAnswer = {
  url: string;
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string;
  retryAfter: number | undefined;
  model: string;
  provider: string;
  /** The variable of the key, where it is known, and whether one was sent. */
  key: { name: string | null; sent: boolean };
  /** The longest wait that is granted to a server, milliseconds. */
  longestWaitMs: number;
};

/** An answer with a status other than 200, as an error of one line. `data`: status, url, body, retryAfterMs. */
export function failureOfAnswer(answer: FailedAnswer): ModelError {
  const host = new URL(answer.url).host;
  const complaint = readComplaint(parseJson(answer.body)) ?? { message: plainText(answer.body), code: '' };
  const data = {
    status: answer.status,
    url: withoutCredentials(answer.url),
    body: answer.body,
    ...(answer.retryAfter === undefined ? {} : { retryAfterMs: answer.retryAfter }),
  };
  if (answer.status >= 300 && answer.status < 400) {
    const to = screenLine(answer.headers.location ?? 'an unnamed place', WORDS);
    const text = `${host} redirects (${answer.status}) to ${to}: redirects are not followed, set the base URL to where it leads`;
    return new ModelError('bad-request', text, data);
  }
  const fault = faultOf(answer.status, complaint, answer.retryAfter);
  const words = screenLine(complaint.message, WORDS);
  const said = words === '' ? `${host} answered ${answer.status}` : `${host} answered ${answer.status}: ${words}`;
  return new ModelError(fault, said + hint(fault, words, answer), data);
}

/** What to do about it, as the end of the message. */
function hint(fault: ModelFault, words: string, answer: FailedAnswer): string {
  const { status } = answer;
  if (status === 407) return ': put user name and password into the address in HTTP_PROXY or HTTPS_PROXY';
  if (fault === 'auth') return keyHint(answer);
  if (fault === 'quota') return ' (waiting does not help: see the plan and billing of this account)';
  if (fault === 'rate-limit' || fault === 'server') return waitHint(answer);
  if (fault === 'overflow') return OVERFLOW_HINT;
  if (fault === 'bad-request' && (status === 400 || status === 422)) return refusalHint(words, answer.provider);
  if (fault !== 'not-found' && status !== 405) return '';
  // A server that names the model has been found.
  const place = /\bmodel\b/i.test(words) ? '' : pathHint(answer.url);
  return ` (asked for model "${answer.model}" at ${withoutCredentials(answer.url)}${place === '' ? ': check both' : place})`;
}

const OVERFLOW_HINT = ' (more than the model’s window holds: go on in a new session, or give the server a larger one)';

function keyHint({ provider, key }: FailedAnswer): string {
  if (key.name !== null)
    return key.sent ? ` (the key is the one in ${key.name})` : ` (no key was sent: set ${key.name})`;
  return key.sent ? '' : ` (no key was sent: name its variable in providers.${provider}.api_key_env)`;
}

function waitHint({ retryAfter, longestWaitMs }: FailedAnswer): string {
  if (retryAfter === undefined || retryAfter <= longestWaitMs) return '';
  return ` (it asks to wait ${inWords(retryAfter)}, which is too long to be waited for: try again then)`;
}

function inWords(ms: number): string {
  const minutes = Math.ceil(ms / 60_000);
  return minutes < 120 ? `${minutes} minutes` : `${Math.ceil(minutes / 60)} hours`;
}

/** What is probably wrong with a base URL; empty where it looks as most do. Throws UsageError where it is none. */
export function baseUrlHint(baseUrl: string): string {
  return pathHint(endpointUrl(baseUrl, '/models')).replace(/^: /, '');
}

/** The usual mistakes: a base URL without its version, or with the path that is added to it. */
export function pathHint(url: string): string {
  const { origin, pathname } = new URL(url);
  const base = pathname.replace(/\/(?:chat\/completions|models)$/, '');
  const given = /^(.*?)\/+chat\/completions\/*$/.exec(base)?.[1];
  if (given !== undefined) return `: the base URL ends before /chat/completions: try ${origin}${given}`;
  if (/\/v\d/.test(base)) return '';
  return `: base URLs mostly end in /v1: try ${origin}${base.replace(/\/+$/, '')}/v1`;
}

/** An error object inside a stream. */
export function failureInStream(value: unknown, url: string): ModelError {
  const complaint = readComplaint(value) ?? { message: JSON.stringify(value), code: '' };
  if (NO_SUCH_PATH.test(complaint.message)) {
    const text = `${new URL(url).host} knows no such path: ${screenLine(complaint.message, WORDS)}${pathHint(url)}`;
    return new ModelError('not-found', text, { url: withoutCredentials(url), code: complaint.code });
  }
  const status = /\b([45]\d\d)\b/.exec(complaint.code)?.[1];
  const known = status === undefined ? statusOfCode(`${complaint.code} ${complaint.message}`) : Number(status);
  const fault = faultOf(known, complaint, undefined);
  const words = screenLine(complaint.message, WORDS);
  const text = `${new URL(url).host} broke the answer off: ${words}${fault === 'overflow' ? OVERFLOW_HINT : ''}`;
  return new ModelError(fault, text, { url: withoutCredentials(url), code: complaint.code });
}

// Errors in a stream come after a 200: their words must do. What is not understood counts as the server's fault.
function statusOfCode(words: string): number {
  if (/rate.?limit|too many requests/i.test(words) || QUOTA.test(words)) return 429;
  if (OVERFLOW.test(words)) return 400;
  if (/invalid_request|bad request|invalid_argument/i.test(words)) return 400;
  if (/authentication|invalid.?api.?key|permission/i.test(words)) return 401;
  return 500;
}

// A proxy's HTML page: its words without the tags.
function plainText(body: string): string {
  if (!/^\s*</.test(body)) return body;
  const title = /<title[^>]*>([^<]{0,200})/i.exec(body)?.[1];
  return title ?? body.replace(/<[^>]{0,1000}>/g, ' ');
}

export function withoutCredentials(url: string): string {
  const parsed = new URL(url);
  parsed.username = '';
  parsed.password = '';
  parsed.search = '';
  return parsed.href;
}
