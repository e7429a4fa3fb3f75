import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { HttpError, type HttpRequest, type HttpResponse } from '../../host/index.ts';
import { createMemoryHost, type MemoryHost } from '../../host/memory/index.ts';
import type { FetchValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { FETCH_BOUNDS, fetchPage } from './fetch-page.ts';

type Answer = {
  status?: number;
  headers?: Record<string, string>;
  body?: string | Uint8Array | (string | Uint8Array)[];
};

const PUBLIC = ['8.8.8.8'];

function web(answers: Readonly<Record<string, Answer>>, addresses: Record<string, string[]> = {}): MemoryHost {
  return createMemoryHost({
    sleep: 'manual',
    addresses: { 'example.org': PUBLIC, 'other.org': PUBLIC, ...addresses },
    http: (request) => respond(answers[request.url] ?? { status: 404 }),
  });
}

function respond({ status = 200, headers = { 'content-type': 'text/plain' }, body = '' }: Answer): HttpResponse {
  const chunks = (Array.isArray(body) ? body : [body]).map((chunk) => Buffer.from(chunk));
  return {
    status,
    headers,
    body: (async function* () {
      yield* chunks;
    })(),
  };
}

function run(
  host: MemoryHost,
  url: string,
  allowed: readonly string[] = [],
  given: Partial<ToolContext> = {},
): Promise<ToolOutcome<FetchValue>> {
  return fetchPage({ url }, testContext(host, given), allowed);
}

function page(url: string, text: string, more: Partial<FetchValue> = {}): ToolOutcome<FetchValue> {
  const value = { kind: 'page', url, status: 200, mime: 'text/plain', text, converted: false } as const;
  return { value: { ...value, droppedBytes: 0, cutShort: false, ...more } as FetchValue, observed: [] };
}

test('a text comes as it is; nothing is sent that says who asks', async () => {
  const host = web({ 'https://example.org/a?b=c': { body: 'hello\n' } });
  expect(await run(host, 'https://example.org/a?b=c#part')).toEqual(page('https://example.org/a?b=c', 'hello\n'));
  expect(host.http.requests.map(({ url, method, headers, body }) => ({ url, method, headers, body }))).toEqual([
    {
      url: 'https://example.org/a?b=c',
      method: 'GET',
      headers: {
        'user-agent': 'rein',
        accept: 'text/markdown, text/html;q=0.9, text/plain;q=0.8, */*;q=0.1',
        'accept-encoding': 'identity',
      },
      body: undefined,
    },
  ]);
});

test('a page becomes Markdown in the encoding that it names', async () => {
  const html = Buffer.from('<meta charset="iso-8859-1"><p>caf\xe9 <a href="b">b</a>', 'latin1');
  const host = web({ 'https://example.org/': { headers: { 'content-type': 'Text/HTML' }, body: html } });
  expect(await run(host, 'https://example.org')).toEqual(
    page('https://example.org/', 'café [b](https://example.org/b)', { mime: 'text/html', converted: true }),
  );
});

test.each<[what: string, url: string, code: string]>([
  ['no address', 'example.org', 'fetch/bad-url'],
  ['a file', 'file:///etc/passwd', 'fetch/bad-url'],
  ['a password', 'https://me:secret@example.org/', 'fetch/bad-url'],
  ['an endless address', `https://example.org/${'a'.repeat(9000)}`, 'fetch/bad-url'],
  ['a key', 'https://example.org/?key=KEY-OF-OURS', 'fetch/secret'],
])('%s is not asked for', async (_, url, code) => {
  const host = web({});
  const mask = (text: string): string => text.replace('KEY-OF-OURS', '[masked]');
  const outcome = await run(host, url, [], { mask });
  expect('error' in outcome && outcome.error.code).toBe(code);
  expect(host.http.requests).toEqual([]);
});

test.each<[url: string, address: string]>([
  ['http://127.0.0.1:8080/', '127.0.0.1'],
  ['http://2130706433/', '127.0.0.1'],
  ['http://[::1]/', '::1'],
  ['http://[::ffff:10.0.0.1]/', '::ffff:a00:1'],
  ['http://169.254.169.254/latest/meta-data/', '169.254.169.254'],
  ['http://inside.example/', '192.168.1.7'],
  ['http://half.example/', '10.0.0.1'],
])('%s leads to no public address and is refused', async (url, address) => {
  const host = web({}, { 'inside.example': ['192.168.1.7'], 'half.example': ['8.8.8.8', '10.0.0.1'] });
  const outcome = await run(host, url);
  expect('error' in outcome && outcome.error).toMatchObject({ code: 'fetch/private', data: { url, address } });
});

test('a host that the user allowed may be a private one, by name or by domain', async () => {
  const answers = {
    'http://inside.example/': { body: 'in' },
    'http://a.b.lan/': { body: 'lan' },
    'http://127.0.0.1/': { body: 'me' },
  };
  const host = web(answers, { 'inside.example': ['10.0.0.1'], 'a.b.lan': ['10.0.0.2'] });
  expect(await run(host, 'http://INSIDE.example./', ['Inside.Example'])).toMatchObject({
    error: { code: 'fetch/status' },
  });
  expect(await run(host, 'http://inside.example/', ['Inside.Example'])).toEqual(page('http://inside.example/', 'in'));
  expect(await run(host, 'http://a.b.lan/', ['*.lan'])).toEqual(page('http://a.b.lan/', 'lan'));
  expect(await run(host, 'http://127.0.0.1/', ['127.0.0.1'])).toEqual(page('http://127.0.0.1/', 'me'));
  expect(await run(host, 'http://lan/', ['*.lan'])).toMatchObject({ error: { code: 'fetch/private' } });
});

function moved(location: string): Answer {
  return { status: 302, headers: { location } };
}

test('a redirect within a host is followed, and its address checked anew', async () => {
  let asked = 0;
  const host = createMemoryHost({
    sleep: 'manual',
    // The name stands for another address at every look.
    addresses: {
      get 'example.org'() {
        asked += 1;
        return asked === 1 ? PUBLIC : ['127.0.0.1'];
      },
    },
    http: ({ url }) => respond(url.endsWith('/a') ? moved('/b') : { body: 'b' }),
  });
  expect(await run(host, 'https://example.org/a')).toMatchObject({
    error: { code: 'fetch/private', data: { address: '127.0.0.1' } },
  });
  const open = web({ 'https://example.org/a': moved('b#x'), 'https://example.org/b': { body: 'b' } });
  expect(await run(open, 'https://example.org/a')).toEqual(page('https://example.org/b', 'b'));
});

test('a redirect to another host, or away from https, is told and not followed', async () => {
  const host = web({
    'https://example.org/a': moved('https://other.org/x'),
    'https://example.org/b': moved('http://example.org/b'),
    'http://example.org/c': moved('https://example.org/d'),
    'https://example.org/d': { body: 'd' },
  });
  const elsewhere = (url: string, location: string) => ({
    value: { kind: 'elsewhere', url, status: 302, location },
    observed: [],
  });
  expect(await run(host, 'https://example.org/a')).toEqual(elsewhere('https://example.org/a', 'https://other.org/x'));
  expect(await run(host, 'https://example.org/b')).toEqual(elsewhere('https://example.org/b', 'http://example.org/b'));
  expect(await run(host, 'http://example.org/c')).toEqual(page('https://example.org/d', 'd'));
  expect(host.http.requests.map(({ url }) => new URL(url).host)).not.toContain('other.org');
});

test('a redirect to no web address, and one too many, are failures', async () => {
  const host = web({
    'https://example.org/a': moved('file:///etc/passwd'),
    'https://example.org/loop': moved('/loop'),
  });
  expect(await run(host, 'https://example.org/a')).toMatchObject({ error: { code: 'fetch/bad-url' } });
  expect(await run(host, 'https://example.org/loop')).toMatchObject({ error: { code: 'fetch/redirects' } });
  expect(host.http.requests.filter(({ url }) => url.endsWith('/loop'))).toHaveLength(FETCH_BOUNDS.redirects + 1);
});

test('what is no text, or no success, is told and not shown', async () => {
  const host = web({
    'https://example.org/p': { headers: { 'content-type': 'image/png', 'content-length': '123' }, body: 'x' },
    'https://example.org/n': { headers: {}, body: 'a\0b' },
    'https://example.org/z': { headers: { 'content-type': 'text/plain', 'content-encoding': 'zstd' }, body: 'x' },
  });
  const code = async (url: string): Promise<unknown> => {
    const outcome = await run(host, url);
    return 'error' in outcome && outcome.error.message;
  };
  expect([
    await code('https://example.org/p'),
    await code('https://example.org/n'),
    await code('https://example.org/z'),
    await code('https://example.org/nothing'),
  ]).toEqual([
    'https://example.org/p is no text (image/png, 123 bytes); only text is fetched. A command can download it.',
    'https://example.org/n is no text (data of no named type); only text is fetched. A command can download it.',
    'https://example.org/z answered in an encoding that cannot be read (zstd).',
    'https://example.org/nothing answered with status 404.',
  ]);
});

test('of an answer without end only so much is read; a long text is cut and kept whole in a file', async () => {
  const mib = 'x'.repeat(1024 * 1024);
  const host = web({ 'https://example.org/': { body: Array.from({ length: 8 }, () => mib) } });
  const outcome = await run(host, 'https://example.org/', [], { spillDirectory: '/state/s.files' });
  const kept = 48 * 1024;
  expect(outcome).toEqual({
    ...page('https://example.org/', 'x'.repeat(kept), {
      droppedBytes: 5 * 1024 * 1024 - kept,
      cutShort: true,
    } as never),
    spill: expect.stringMatching(/^\/state\/s\.files\/fetch-[0-9a-f]{16}\.txt$/),
  });
  const spill = (await host.files.stat('spill' in outcome ? String(outcome.spill) : ''))!;
  expect([spill.size, spill.mode]).toEqual([5 * 1024 * 1024, 0o600]);
});

test('a packed answer is unpacked, one that unpacks to too much is not', async () => {
  const headers = { 'content-type': 'text/plain', 'content-encoding': 'gzip' };
  const host = web({
    'https://example.org/a': { headers, body: gzipSync('hello') },
    'https://example.org/bomb': { headers, body: gzipSync(Buffer.alloc(20 * 1024 * 1024, 'a')) },
  });
  expect(await run(host, 'https://example.org/a')).toEqual(page('https://example.org/a', 'hello'));
  expect(await run(host, 'https://example.org/bomb')).toMatchObject({ error: { code: 'fetch/encoding' } });
});

test('a server that does not answer is left when the time is up, or the person stops it', async () => {
  const hang = (request: HttpRequest): Promise<HttpResponse> =>
    new Promise((_, reject) => {
      request.signal.addEventListener('abort', () => reject(abortError()), { once: true });
    });
  const host = createMemoryHost({ sleep: 'manual', addresses: { 'example.org': PUBLIC }, http: hang });
  const late = run(host, 'https://example.org/');
  while (host.http.requests.length === 0) await new Promise(setImmediate);
  host.clock.advance(30_000);
  expect(await late).toMatchObject({
    error: { code: 'fetch/timeout', message: 'https://example.org/ was not there within 30 s.' },
  });
  const abort = new AbortController();
  const stopped = run(host, 'https://example.org/', [], { signal: abort.signal });
  while (host.http.requests.length === 1) await new Promise(setImmediate);
  abort.abort();
  expect(await stopped).toMatchObject({ error: { code: 'fetch/aborted' } });
});

function abortError(): Error {
  return new HttpError('aborted', 'aborted', { url: '' });
}
