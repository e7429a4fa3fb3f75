import { describe, expect, test } from 'vitest';
import { HttpError, type HttpResponse } from '../../host/index.ts';
import { createMemoryHost, type MemoryHost } from '../../host/memory/index.ts';
import { type Message, ModelError, type ModelEvent, type ModelInfo, type ModelRequest } from '../../model/index.ts';
import { type ChatModelOptions, createChatModel } from './chat-model.ts';

const INFO: ModelInfo = { provider: 'openai', id: 'm', wire: 'chat', contextWindow: null, outputLimit: null };
const HI: Message = { role: 'user', event: 'u', from: 'user', parts: [{ type: 'text', text: 'Hi' }], alone: false };
const REQUEST: ModelRequest = {
  sessionId: 's',
  purpose: 'turn',
  system: 'S',
  messages: [HI],
  tools: [],
  shape: { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false },
  media: () => undefined,
};
const OK = 'data: {"choices":[{"delta":{"content":"Hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const DELIVERED = ['text-start', 'text-delta', 'text-end', 'finish'];

type Step = HttpResponse | Error | ((signal: AbortSignal) => Promise<HttpResponse>);

function answer(status: number, body: string, headers: Record<string, string> = {}): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/event-stream', ...headers },
    body: { [Symbol.asyncIterator]: () => bytes([body]) },
  };
}

async function* bytes(chunks: readonly string[], end?: Error): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk, 'utf8');
  if (end !== undefined) throw end;
}

function hostOf(steps: readonly Step[]): MemoryHost {
  let at = 0;
  return createMemoryHost({
    now: '2026-11-30T12:00:00+00:00',
    http: async (request) => {
      const step = steps[Math.min(at, steps.length - 1)];
      at += 1;
      if (step instanceof Error) throw step;
      if (typeof step === 'function') return step(request.signal);
      return step ?? answer(500, '');
    },
  });
}

type Run = { events: ModelEvent[]; error: unknown };

async function run(host: MemoryHost, options: Partial<ChatModelOptions> = {}, signal?: AbortSignal): Promise<Run> {
  const model = createChatModel({
    host: {
      ...host,
      http: host.http,
      clock: host.clock,
      random: { bytes: (length) => new Uint8Array(length).fill(128) },
    },
    info: INFO,
    baseUrl: 'https://api.test/v1',
    apiKey: 'sk-secret',
    ...options,
  });
  const events: ModelEvent[] = [];
  try {
    for await (const event of model.prepare(REQUEST).send(signal ?? new AbortController().signal)) events.push(event);
    return { events, error: null };
  } catch (error) {
    const seen = error instanceof ModelError ? { fault: error.fault, message: error.message } : error;
    return { events, error: seen };
  }
}

function types({ events }: Run): string[] {
  return events.map((event) => (event.type === 'retry-wait' ? `wait ${event.delayMs}` : event.type));
}

const RESET = new HttpError('reset', 'api.test: connection lost', { phase: 'body' });

describe('what is sent', () => {
  test('the body is the prepared one, at the base URL, with the key', async () => {
    const host = hostOf([answer(200, OK)]);
    await run(host, { baseUrl: 'https://api.test/v1/?api-version=2' });
    const { signal: _signal, ...request } = host.http.requests[0]!;
    expect(request).toEqual({
      url: 'https://api.test/v1/chat/completions?api-version=2',
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'text/event-stream',
        'user-agent': 'rein',
        authorization: 'Bearer sk-secret',
      },
      body: '{"model":"m","messages":[{"role":"system","content":"S"},{"role":"user","content":"Hi"}],"stream":true,"stream_options":{"include_usage":true}}',
      timeouts: { connectMs: 30_000, headersMs: 600_000, idleMs: 300_000 },
    });
  });

  test('the user’s headers are added, and replace this program’s own', async () => {
    const host = hostOf([answer(200, OK)]);
    await run(host, { headers: { authorization: 'Basic x', 'x-app': 'a' } });
    expect(host.http.requests[0]!.headers).toEqual({
      'content-type': 'application/json',
      accept: 'text/event-stream',
      'user-agent': 'rein',
      authorization: 'Basic x',
      'x-app': 'a',
    });
  });

  test('without a key there is no Authorization header', async () => {
    const host = hostOf([answer(200, OK)]);
    await run(host, { apiKey: null });
    expect(Object.keys(host.http.requests[0]!.headers)).toEqual(['content-type', 'accept', 'user-agent']);
  });

  test.each([
    'http://localhost:8080/v1',
    'http://127.0.0.1',
    'http://192.168.1.5/v1',
    'http://box.local',
    'http://gpu',
    'http://[::1]:1',
  ])('a server at %s may take its time', async (baseUrl) => {
    const host = hostOf([answer(200, OK)]);
    await run(host, { baseUrl });
    expect(host.http.requests[0]!.timeouts).toEqual({ connectMs: 30_000, headersMs: null, idleMs: null });
  });

  test('timeouts can be set one by one', async () => {
    const host = hostOf([answer(200, OK)]);
    await run(host, { timeouts: { headersMs: 5 } });
    expect(host.http.requests[0]!.timeouts).toEqual({ connectMs: 30_000, headersMs: 5, idleMs: 300_000 });
  });
});

describe('repetition', () => {
  test('passing failures are waited out, as long as the server asks', async () => {
    const date = 'Mon, 30 Nov 2026 12:00:30 GMT';
    const host = hostOf([
      answer(429, '', { 'retry-after': '2' }),
      answer(529, ''),
      answer(503, '', { 'retry-after': date }),
      answer(499, ''),
      RESET,
      answer(200, OK),
    ]);
    // 2 s by the header, 2 s of backoff, until :30 by the date (4 s have passed), then 8 and 16 s.
    expect(types(await run(host))).toEqual([
      'wait 2000',
      'wait 2000',
      'wait 26000',
      'wait 8000',
      'wait 16000',
      ...DELIVERED,
    ]);
  });

  test('it ends after five attempts more', async () => {
    const result = await run(hostOf([answer(503, '{"error":{"message":"busy"}}')]));
    expect({ waits: types(result), error: result.error }).toEqual({
      waits: ['wait 1000', 'wait 2000', 'wait 4000', 'wait 8000', 'wait 16000'],
      error: { fault: 'server', message: 'api.test answered 503: busy' },
    });
  });

  test('a wait longer than the policy grants is not begun', async () => {
    const result = await run(hostOf([answer(429, 'later', { 'retry-after': '3600' })]));
    expect(result).toEqual({
      events: [],
      error: {
        fault: 'rate-limit',
        message:
          'api.test answered 429: later (it asks to wait 60 minutes, which is too long to be waited for: try again then)',
      },
    });
  });

  test("after something was delivered a lost stream is the caller's", async () => {
    const cut: HttpResponse = {
      status: 200,
      headers: {},
      body: bytes(['data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n'], RESET),
    };
    const result = await run(hostOf([cut, answer(200, OK)]));
    expect({ types: types(result), error: result.error }).toEqual({
      types: ['text-start', 'text-delta'],
      error: { fault: 'network', message: 'api.test: connection lost' },
    });
  });

  test('a stream that ends before its first delta is asked for again', async () => {
    expect(types(await run(hostOf([answer(200, ': hi\n\n'), answer(200, OK)])))).toEqual(['wait 1000', ...DELIVERED]);
  });

  test.each<[number, string, string]>([
    [401, '{"error":{"message":"Incorrect API key provided: sk-secret."}}', 'auth'],
    [402, '{"error":{"message":"Insufficient Balance"}}', 'quota'],
    [429, '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}', 'quota'],
    [400, '{"error":{"message":"This model\'s maximum context length is 8192 tokens"}}', 'overflow'],
    [
      400,
      '{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error"}}',
      'overflow',
    ],
    [400, '{"detail":"bad field"}', 'bad-request'],
    [404, 'Not Found', 'not-found'],
  ])('a %i that says %s is not repeated', async (status, body, fault) => {
    const host = hostOf([answer(status, body)]);
    const { events, error } = await run(host);
    expect({ events, fault: (error as { fault: string }).fault, requests: host.http.requests.length }).toEqual({
      events: [],
      fault,
      requests: 1,
    });
  });
});

describe('messages', () => {
  test('the key is not quoted, the model and the place are named', async () => {
    const echo = answer(401, '{"error":{"message":"bad key\\nsk-secret"}}');
    expect((await run(hostOf([echo]))).error).toEqual({
      fault: 'auth',
      message: 'api.test answered 401: bad key [hidden]',
    });
    expect((await run(hostOf([answer(404, '')]), { baseUrl: 'https://u:p@api.test/v1?k=1' })).error).toEqual({
      fault: 'not-found',
      message: 'api.test answered 404 (asked for model "m" at https://api.test/v1/chat/completions: check both)',
    });
  });

  test('a redirect is not followed and says where it leads', async () => {
    const host = hostOf([answer(308, '', { location: 'https://other.test/' })]);
    expect({ ...(await run(host)), requests: host.http.requests.length }).toEqual({
      events: [],
      error: {
        fault: 'bad-request',
        message:
          'api.test redirects (308) to https://other.test/: redirects are not followed, set the base URL to where it leads',
      },
      requests: 1,
    });
  });

  test('a wrong path that is answered with 200 is not asked for again, and points at the base URL', async () => {
    const said = { error: 'Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway' };
    const host = hostOf([answer(200, JSON.stringify(said), { 'content-type': 'application/json' })]);
    expect(await run(host, { baseUrl: 'http://gpu:1234' })).toEqual({
      events: [],
      error: {
        fault: 'not-found',
        message: `gpu:1234 knows no such path: ${said.error}: base URLs mostly end in /v1: try http://gpu:1234/v1`,
      },
    });
  });

  test.each([
    ['a field of its own', 'error: {"code":400,"message":"no","type":"invalid_request_error"}', 'no'],
    ['a named event', 'event: error\ndata: {"message":"no","type":"invalid_request_error"}', 'no'],
    ['a named event with an object in it', 'event: error\ndata: {"error":{"message":"no","code":400}}', 'no'],
    ['a named event of plain text', 'event: error\ndata: bad request: no', 'bad request: no'],
  ])('an error that a server sends as %s in its stream is told in its words', async (_form, text, words) => {
    expect((await run(hostOf([answer(200, `${text}\n\n`)]))).error).toEqual({
      fault: 'bad-request',
      message: `api.test broke the answer off: ${words}`,
    });
  });

  test('a web page in place of an answer points at the base URL', async () => {
    const page = answer(200, '<html>', { 'content-type': 'text/html; charset=utf-8' });
    expect((await run(hostOf([page]))).error).toEqual({
      fault: 'malformed',
      message: 'api.test answered with a web page, not a stream of events: check the base URL',
    });
  });

  test.each<[string, number, Partial<ChatModelOptions>, string, string]>([
    [
      'a base URL without its version',
      404,
      { baseUrl: 'http://gpu:8000/' },
      '{"detail":"Not Found"}',
      'gpu:8000 answered 404: Not Found (asked for model "m" at http://gpu:8000/chat/completions: base URLs mostly end in /v1: try http://gpu:8000/v1)',
    ],
    [
      'a model that the server does not have',
      404,
      { baseUrl: 'http://gpu:8000' },
      '{"error":{"message":"model \\"m\\" not found, try pulling it first"}}',
      'gpu:8000 answered 404: model "m" not found, try pulling it first (asked for model "m" at http://gpu:8000/chat/completions: check both)',
    ],
    [
      'a page that takes no POST',
      405,
      { baseUrl: 'http://gpu:8000/api' },
      '',
      'gpu:8000 answered 405 (asked for model "m" at http://gpu:8000/api/chat/completions: base URLs mostly end in /v1: try http://gpu:8000/api/v1)',
    ],
    [
      'no key',
      401,
      { apiKey: null, keyName: 'MY_KEY' },
      'no',
      'api.test answered 401: no (no key was sent: set MY_KEY)',
    ],
    ['a wrong key', 401, { keyName: 'MY_KEY' }, 'no', 'api.test answered 401: no (the key is the one in MY_KEY)'],
    [
      'no money left',
      429,
      {},
      '{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}',
      'api.test answered 429: You exceeded your current quota (waiting does not help: see the plan and billing of this account)',
    ],
    [
      'a proxy that wants a password',
      407,
      {},
      '<html><title>Proxy Authentication Required</title>',
      'api.test answered 407: Proxy Authentication Required: put user name and password into the address in HTTP_PROXY or HTTPS_PROXY',
    ],
    [
      'a key that no setting names',
      401,
      { apiKey: null, info: { ...INFO, provider: 'work' } },
      'no',
      'api.test answered 401: no (no key was sent: name its variable in providers.work.api_key_env)',
    ],
    [
      'a base URL with the path of the requests',
      404,
      { baseUrl: 'http://gpu:8000/v1/chat/completions' },
      '404 page not found',
      'gpu:8000 answered 404: 404 page not found (asked for model "m" at http://gpu:8000/v1/chat/completions/chat/completions: the base URL ends before /chat/completions: try http://gpu:8000/v1)',
    ],
    [
      'a request over the window',
      400,
      {},
      '{"error":{"message":"the request exceeds the available context size"}}',
      'api.test answered 400: the request exceeds the available context size (more than the model’s window holds: go on in a new session, or give the server a larger one)',
    ],
    [
      'a field that the server refuses',
      400,
      { info: { ...INFO, provider: 'llama.cpp' } },
      '{"error":{"message":"unknown field \\"stream_options\\""}}',
      'api.test answered 400: unknown field "stream_options" (for such a server: providers."llama.cpp".quirks.stream_usage = false)',
    ],
    [
      'an effort that the model does not take',
      400,
      {},
      '{"error":{"message":"Unsupported parameter: reasoning_effort is not supported with this model."}}',
      'api.test answered 400: Unsupported parameter: reasoning_effort is not supported with this model. (leave --effort out, or set "reasoning" of this model to "none")',
    ],
    [
      'a server that was started without tools',
      500,
      {},
      '{"error":{"code":500,"message":"tools param requires --jinja flag","type":"server_error"}}',
      'api.test answered 500: tools param requires --jinja flag',
    ],
    [
      'a page of a gateway',
      400,
      {},
      '<!doctype html><html><head><title>400 Bad Request</title></head><body><h1>nginx</h1></body></html>',
      'api.test answered 400: 400 Bad Request',
    ],
  ])('%s is told with what to do', async (_title, status, options, body, message) => {
    const { error } = await run(hostOf([answer(status, body)]), options);
    expect((error as { message: string }).message).toBe(message);
  });

  test.each<[HttpError['fault'], Record<string, unknown>, string]>([
    ['refused', { url: 'http://127.0.0.1:1/v1' }, ': is the server running, and on this port?'],
    ['refused', { url: 'https://api.test/v1' }, ''],
    [
      'refused',
      { url: 'https://api.test/v1', status: 407 },
      ': put user name and password into the address in HTTPS_PROXY, or the host into NO_PROXY',
    ],
    ['refused', { url: 'https://api.test/v1', status: 403 }, ': put the host into NO_PROXY if it needs no proxy'],
    [
      'refused',
      { url: 'https://api.test/v1', proxy: 'proxy:3128' },
      ': correct HTTP_PROXY or HTTPS_PROXY, or put the host into NO_PROXY',
    ],
    ['dns', { url: 'https://api.test/v1' }, ': check the base URL and the network'],
    [
      'tls',
      { url: 'https://gpu:8000/v1', systemCode: 'EPROTO' },
      ': the server speaks no TLS there: try http://gpu:8000 in the base URL',
    ],
    ['tls', { systemCode: 'CERT_HAS_EXPIRED' }, ': its certificate has expired'],
    [
      'tls',
      { systemCode: 'CERT_NOT_YET_VALID' },
      ': its certificate is not valid yet: check the clock of this machine',
    ],
    [
      'tls',
      { systemCode: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      ': its certificate is for another name: check the base URL',
    ],
    [
      'tls',
      { systemCode: 'SELF_SIGNED_CERT_IN_CHAIN' },
      ': if its certificate comes from an authority of your own, set NODE_EXTRA_CA_CERTS to the file of that authority',
    ],
    ['reset', { url: 'http://127.0.0.1:1/v1' }, ''],
  ])('a connection that ends in %s (%j) is told with what to do', async (fault, data, hint) => {
    const { error } = await run(hostOf([new HttpError(fault, 'h: no', data)]), {
      retry: { max: 0, baseMs: 1, longestMs: 1 },
    });
    expect((error as { message: string }).message).toBe(`h: no${hint}`);
  });

  test('values of headers are not quoted either', async () => {
    const echo = answer(400, '{"error":{"message":"tenant t-secret is unknown"}}');
    const options = { headers: { 'x-tenant': 't-secret' }, secrets: ['t-secret'] };
    expect((await run(hostOf([echo]), options)).error).toEqual({
      fault: 'bad-request',
      message: 'api.test answered 400: tenant [hidden] is unknown',
    });
  });

  test('a damaged chunk is malformed, a ping is not', async () => {
    const stream = 'data: ping\n\ndata: {"choices":[{"delta":{"content":"Hi"}}]}\n\ndata: {"choices":[{"del\n\n';
    const result = await run(hostOf([answer(200, stream)]));
    expect({ types: types(result), error: result.error }).toEqual({
      types: ['text-start', 'text-delta'],
      error: { fault: 'malformed', message: 'api.test sent a chunk that is not JSON: {"choices":[{"del' },
    });
  });

  test('an error body is read to its limit', async () => {
    let read = 0;
    const endless: HttpResponse = {
      status: 400,
      headers: {},
      body: (async function* () {
        for (;;) {
          read += 1;
          yield Buffer.alloc(10_000, 'x');
        }
      })(),
    };
    const { error } = await run(hostOf([endless]));
    expect({ read, error }).toEqual({
      read: 7,
      error: { fault: 'bad-request', message: `api.test answered 400: ${'x'.repeat(299)}…` },
    });
  });
});

describe('aborting', () => {
  const ABORTED = { fault: 'aborted', message: 'the request was aborted' };

  test('before anything is sent', async () => {
    const host = hostOf([answer(200, OK)]);
    expect({ ...(await run(host, {}, AbortSignal.abort())), requests: host.http.requests.length }).toEqual({
      events: [],
      error: ABORTED,
      requests: 0,
    });
  });

  test('while waiting for the headers', async () => {
    const controller = new AbortController();
    const hanging = (signal: AbortSignal) =>
      new Promise<HttpResponse>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new HttpError('aborted', 'aborted', {})));
        setImmediate(() => controller.abort());
      });
    expect(await run(hostOf([hanging]), {}, controller.signal)).toEqual({ events: [], error: ABORTED });
  });

  test('in the middle of the answer', async () => {
    const controller = new AbortController();
    const endless: HttpResponse = {
      status: 200,
      headers: {},
      body: (async function* () {
        for (;;) {
          yield Buffer.from('data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n');
          controller.abort();
        }
      })(),
    };
    const result = await run(hostOf([endless]), {}, controller.signal);
    expect({ types: types(result), error: result.error }).toEqual({
      types: ['text-start', 'text-delta'],
      error: ABORTED,
    });
  });

  test('while waiting for the next attempt', async () => {
    const controller = new AbortController();
    const host = createMemoryHost({ sleep: 'manual', http: () => answer(503, '') });
    setTimeout(() => controller.abort(), 5);
    const result = await run(host, {}, controller.signal);
    expect({ types: types(result), error: result.error }).toEqual({ types: ['wait 1000'], error: ABORTED });
  });
});

describe('the connection', () => {
  function endingAfter(mark: () => Promise<void>, seen: { ended: boolean }): HttpResponse {
    return {
      status: 200,
      headers: {},
      body: (async function* () {
        yield Buffer.from(OK);
        await mark();
        seen.ended = true;
      })(),
    };
  }

  test('is read to its end after the end mark, so that it can be used again', async () => {
    const seen = { ended: false };
    await run(hostOf([endingAfter(async () => undefined, seen)]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(seen).toEqual({ ended: true });
  });

  test('is cut where the server does not end the answer after its end mark', async () => {
    let cut = false;
    const host = hostOf([
      async (signal) => {
        signal.addEventListener('abort', () => {
          cut = true;
        });
        return endingAfter(() => new Promise(() => undefined), { ended: false });
      },
    ]);
    const result = await run(host);
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect({ types: types(result), cut }).toEqual({ types: DELIVERED, cut: true });
  });
});

describe('an answer in another form than asked for', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const types = ({ events }: Run): string[] => events.map(({ type }) => type);

  test('a whole answer without a finish reason is complete', async () => {
    const whole = answer(200, '{"choices":[{"message":{"content":"Hi"}}]}', JSON_TYPE);
    expect(types(await run(hostOf([whole])))).toEqual(DELIVERED);
  });

  test('a stream of events that is called JSON is read as one', async () => {
    expect(types(await run(hostOf([answer(200, OK, JSON_TYPE)])))).toEqual(DELIVERED);
    const cut = answer(200, 'data: {"choices":[{"delta":{"content":"Hi"}}]}\n\n', JSON_TYPE);
    expect((await run(hostOf([cut]))).error).toMatchObject({ fault: 'truncated' });
  });

  test('a compressed answer is refused at once', async () => {
    const host = hostOf([answer(200, '\u001f\u008b', { 'content-encoding': 'gzip' })]);
    const { error, events } = await run(host);
    expect(events).toEqual([]);
    expect(error).toMatchObject({ fault: 'bad-request' });
    expect(host.calls['http.request']).toBe(1);
  });
});
