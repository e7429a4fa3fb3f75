import { byteLength, cutHead } from '../../base/index.ts';
import { HttpError, type HttpResponse } from '../../host/index.ts';
import type { ToolFailure } from '../../model/index.ts';
import type { FetchArgs, FetchValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { type Address, parseAddress } from './address.ts';
import { decodeBody, isTextType, mimeOf, unpack } from './answer-text.ts';
import { keepWhole } from './keep-whole.ts';
import { isPublicAddress } from './public-address.ts';

export type FetchBounds = {
  /** From the first address to the last byte of the last answer. */
  timeMs: number;
  /** Of one answer. */
  bytes: number;
  redirects: number;
};

export const FETCH_BOUNDS: FetchBounds = { timeMs: 30_000, bytes: 5 * 1024 * 1024, redirects: 5 };

/** Nothing that says who asks: no key, no cookie, no referrer. */
const HEADERS: Readonly<Record<string, string>> = {
  'user-agent': 'rein',
  accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1',
  'accept-encoding': 'identity',
};

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

type Outcome = ToolOutcome<FetchValue>;
type Step = { outcome: Outcome } | { next: Address };

/**
 * What an address answers, as text. Every host is resolved first and connected to by the address that was checked:
 * none of this machine or a private network, unless the host is one of `allowPrivateHosts`. A redirect is a new
 * address; one to another host is told, not followed, since another host is another permission.
 */
export async function fetchPage(
  args: FetchArgs,
  context: ToolContext,
  allowPrivateHosts: readonly string[],
  bounds: FetchBounds = FETCH_BOUNDS,
): Promise<Outcome> {
  const first = parseAddress(args.url, context.mask);
  if ('error' in first) return failed(first.error);
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  void context.host.clock.sleep(bounds.timeMs, signal).then(() => over.abort());
  try {
    let address: Address = first.address;
    for (let redirects = 0; redirects <= bounds.redirects; redirects += 1) {
      const step = await request(address, { context, allowPrivateHosts, bounds, signal });
      if ('outcome' in step) return step.outcome;
      address = step.next;
    }
    const message = `${args.url} was redirected more than ${bounds.redirects} times.`;
    return failed({ code: 'fetch/redirects', message, data: { url: args.url } });
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return failed(httpFailure(args.url, error, context, bounds));
  } finally {
    over.abort();
  }
}

type Scope = {
  context: ToolContext;
  allowPrivateHosts: readonly string[];
  bounds: FetchBounds;
  signal: AbortSignal;
};

async function request(address: Address, scope: Scope): Promise<Step> {
  const { context, allowPrivateHosts, signal, bounds } = scope;
  // An answer that is not read to its end must not stay open.
  const done = new AbortController();
  try {
    const response = await context.host.http.request({
      url: address.href,
      method: 'GET',
      headers: HEADERS,
      signal: AbortSignal.any([signal, done.signal]),
      timeouts: { connectMs: bounds.timeMs, headersMs: bounds.timeMs, idleMs: bounds.timeMs },
      ...(isAllowed(address.host, allowPrivateHosts) ? {} : { allowAddress: isPublicAddress }),
    });
    if (REDIRECTS.has(response.status) && response.headers.location !== undefined) {
      return follow(address, response, response.headers.location, context);
    }
    return { outcome: await readAnswer(address, response, scope) };
  } finally {
    done.abort();
  }
}

/** A name of the list, or one below `*.NAME`. */
function isAllowed(host: string, allowed: readonly string[]): boolean {
  return allowed.some((entry) => {
    const name = entry.toLowerCase();
    return name.startsWith('*.') ? host.endsWith(name.slice(1)) : host === name;
  });
}

function follow(from: Address, { status }: HttpResponse, location: string, { mask }: ToolContext): Step {
  const url = URL.canParse(location, from.href) ? new URL(location, from.href).href : location;
  const parsed = parseAddress(url, mask);
  if ('error' in parsed) {
    const message = `${from.href} answered with a redirect that is not followed. ${parsed.error.message}`;
    return { outcome: failed({ ...parsed.error, message }) };
  }
  const next = parsed.address;
  const isDowngrade = from.href.startsWith('https:') && next.href.startsWith('http:');
  if (next.host === from.host && !isDowngrade) return { next };
  return { outcome: { value: { kind: 'elsewhere', url: from.href, status, location: next.href }, observed: [] } };
}

async function readAnswer({ href }: Address, response: HttpResponse, { context, bounds }: Scope): Promise<Outcome> {
  const { status, headers } = response;
  if (status < 200 || status > 299) {
    return failed({
      code: 'fetch/status',
      message: `${href} answered with status ${status}.`,
      data: { url: href, status },
    });
  }
  const mime = mimeOf(headers['content-type']);
  if (!isTextType(mime)) return failed(notText(href, mime, headers['content-length']));
  const { bytes, cutShort } = await readBounded(response, bounds.bytes);
  const unpacked = unpack(bytes, headers['content-encoding'], bounds.bytes);
  if (unpacked === null) {
    const message = `${href} answered in an encoding that cannot be read (${headers['content-encoding']}).`;
    return failed({ code: 'fetch/encoding', message, data: { url: href } });
  }
  if (unpacked.includes(0) && mime === '') return failed(notText(href, mime, undefined));
  const text = decodeBody(unpacked, headers['content-type'], mime);
  const converted = mime === 'text/html' || mime === 'application/xhtml+xml';
  const page = converted
    ? (await import('./html-markdown.ts')).htmlToMarkdown(text, href)
    : { markdown: text, cutShort: false };
  const shown = cutHead(page.markdown, context.limits.resultBytes);
  const droppedBytes = byteLength(page.markdown) - byteLength(shown);
  const spill = droppedBytes === 0 ? null : await keepWhole(page.markdown, context);
  return {
    value: {
      kind: 'page',
      url: href,
      status,
      mime,
      text: shown,
      converted,
      droppedBytes,
      cutShort: cutShort || page.cutShort,
    },
    observed: [],
    ...(spill === null ? {} : { spill }),
  };
}

async function readBounded({ body }: HttpResponse, limit: number): Promise<{ bytes: Buffer; cutShort: boolean }> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > limit) break;
  }
  return { bytes: Buffer.concat(chunks).subarray(0, limit), cutShort: size > limit };
}

function notText(url: string, mime: string, length: string | undefined): ToolFailure {
  const size = length !== undefined && /^\d{1,15}$/.test(length) ? `, ${length} bytes` : '';
  const what = mime === '' ? 'data of no named type' : mime.slice(0, 100);
  const message = `${url} is no text (${what}${size}); only text is fetched. A command can download it.`;
  return { code: 'fetch/not-text', message, data: { url, mime } };
}

function httpFailure(url: string, error: HttpError, { signal }: ToolContext, { timeMs }: FetchBounds): ToolFailure {
  const data = { url, fault: error.fault };
  if (signal.aborted) return { code: 'fetch/aborted', message: `Fetching ${url} was stopped.`, data };
  if (error.fault === 'aborted' || error.fault === 'timeout') {
    return { code: 'fetch/timeout', message: `${url} was not there within ${timeMs / 1000} s.`, data };
  }
  if (error.fault === 'forbidden') {
    const address = String(error.data.address);
    const message = `${url} leads to ${address}, an address of this machine or of a private network, which is not fetched. The user can allow the host in the setting web.allow_private_hosts.`;
    return { code: 'fetch/private', message, data: { ...data, address } };
  }
  return { code: 'fetch/failed', message: `Cannot fetch ${url}: ${error.message}.`, data };
}

function failed(error: ToolFailure): Outcome {
  return { error, observed: [] };
}
