import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type EnvPort,
  HttpError,
  type HttpPort,
  type HttpRequest,
  type HttpServer,
  type ServedRequest,
} from '../index.ts';
import { createNodeEnv } from './node-env.ts';
import { createNodeHttp } from './node-http.ts';

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function portWith(variables: Record<string, string> = {}): HttpPort {
  const env: EnvPort = { ...createNodeEnv(), get: (name) => variables[name] };
  return createNodeHttp(env);
}

async function serve(handler: Parameters<HttpPort['listen']>[1]): Promise<HttpServer> {
  const server = await portWith().listen(0, handler);
  closers.push(() => server.close());
  return server;
}

/** A server that speaks no HTTP but what the test says. */
async function tcp(take: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>();
  const server: Server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    take(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as { port: number }).port}`;
}

function post(url: string, more: Partial<HttpRequest> = {}): HttpRequest {
  return {
    url,
    method: 'POST',
    headers: {},
    body: '{}',
    signal: new AbortController().signal,
    timeouts: { connectMs: null, headersMs: null, idleMs: null },
    ...more,
  };
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { fault, code, isRetryable, data } = error;
    return { fault, code, isRetryable, phase: data.phase, systemCode: data.systemCode };
  }
}

const abortAfter = (ms: number): AbortSignal => AbortSignal.timeout(ms);

describe('a request', () => {
  test('sends exactly the given bytes and headers, and gives the answer as it comes', async () => {
    let seen: ServedRequest | undefined;
    const server = await serve(async (request, response) => {
      seen = request;
      response.start(429, { 'Retry-After': '7', 'X-Many': 'a' });
      await response.write('fünf ');
      await response.write(new Uint8Array([0xe2, 0x82]));
      await response.write(new Uint8Array([0xac]));
      response.end();
    });
    const { status, headers, body } = await portWith().request(
      post(`${server.url}/v1/chat?x=1`, { headers: { Authorization: 'Bearer k' }, body: '{"a":"ä"}' }),
    );
    expect({ status, retry: headers['retry-after'], many: headers['x-many'], text: await readText(body) }).toEqual({
      status: 429,
      retry: '7',
      many: 'a',
      text: 'fünf €',
    });
    expect(seen).toEqual({
      method: 'POST',
      target: '/v1/chat?x=1',
      headers: {
        authorization: 'Bearer k',
        host: server.url.slice('http://'.length),
        connection: 'keep-alive',
        'content-length': '10',
      },
      body: Buffer.from('{"a":"ä"}'),
    });
  });

  test('uses a kept connection again, and a new one where the server closed it meanwhile', async () => {
    let connections = 0;
    let answers = 0;
    const address = await tcp((socket) => {
      connections += 1;
      socket.on('data', () => {
        answers += 1;
        socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
        // The second answer on this connection is its last, and the client is not told.
        if (answers === 2) setTimeout(() => socket.resetAndDestroy(), 5);
      });
    });
    const http = portWith();
    const ask = async (): Promise<string> => readText((await http.request(post(`http://${address}/`))).body);
    expect([await ask(), await ask(), connections]).toEqual(['ok', 'ok', 1]);
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect([await ask(), connections]).toEqual(['ok', 2]);
  });

  test('starts again on a new connection when the kept one dies under the request', async () => {
    let connections = 0;
    const address = await tcp((socket) => {
      connections += 1;
      let requests = 0;
      socket.on('data', () => {
        requests += 1;
        if (requests === 2) socket.resetAndDestroy();
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
      });
    });
    const http = portWith();
    const ask = async (): Promise<string> => readText((await http.request(post(`http://${address}/`))).body);
    expect([await ask(), await ask(), connections]).toEqual(['ok', 'ok', 2]);
  });

  test('says what kept it from an answer', async () => {
    const closing = await tcp((socket) => socket.once('data', () => socket.destroy()));
    const nonsense = await tcp((socket) => socket.once('data', () => socket.end('no http\r\n\r\n')));
    const plain = await tcp((socket) => socket.once('data', () => socket.end('no tls')));
    const http = portWith();
    const fail = (url: string, more?: Partial<HttpRequest>): Promise<unknown> => faultOf(http.request(post(url, more)));
    expect({
      refused: await fail('http://127.0.0.1:1/'),
      closed: await fail(`http://${closing}/`),
      nonsense: await fail(`http://${nonsense}/`),
      tls: await fail(`https://${plain}/`),
      scheme: await fail('ftp://127.0.0.1/'),
      noUrl: await fail('chat/completions'),
      header: await fail('http://127.0.0.1:1/', { headers: { authorization: 'Bearer a\nb' } }),
    }).toEqual({
      refused: {
        fault: 'refused',
        code: 'http/refused',
        isRetryable: true,
        phase: 'connect',
        systemCode: 'ECONNREFUSED',
      },
      closed: { fault: 'reset', code: 'http/reset', isRetryable: true, phase: 'headers', systemCode: 'ECONNRESET' },
      nonsense: {
        fault: 'failed',
        code: 'http/failed',
        isRetryable: true,
        phase: 'headers',
        systemCode: 'HPE_INVALID_CONSTANT',
      },
      tls: { fault: 'tls', code: 'http/tls', isRetryable: false, phase: 'connect', systemCode: 'EPROTO' },
      scheme: {
        fault: 'invalid-url',
        code: 'http/invalid-url',
        isRetryable: false,
        phase: undefined,
        systemCode: undefined,
      },
      noUrl: {
        fault: 'invalid-url',
        code: 'http/invalid-url',
        isRetryable: false,
        phase: undefined,
        systemCode: undefined,
      },
      header: {
        fault: 'invalid-header',
        code: 'http/invalid-header',
        isRetryable: false,
        phase: 'connect',
        systemCode: 'ERR_INVALID_CHAR',
      },
    });
  });

  test('never repeats a key or a query in an error', async () => {
    const secret = 'sk-secret-value';
    const work = portWith().request(
      post(`http://user:${secret}@127.0.0.1:1/v1?key=${secret}`, { headers: { authorization: `Bearer ${secret}` } }),
    );
    const error = await work.catch((caught: unknown) => caught);
    const { message, data } = error as HttpError;
    expect(JSON.stringify({ message, data })).toBe(
      '{"message":"127.0.0.1:1: connection refused (ECONNREFUSED)","data":{"url":"http://127.0.0.1:1/v1","phase":"connect","systemCode":"ECONNREFUSED"}}',
    );
  });
});

describe('a lost answer', () => {
  test('is a reset where the body ends before its time', async () => {
    const short = await tcp((socket) =>
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf')),
    );
    const chunked = await serve(async (_, response) => {
      response.start(200, {});
      await response.write('half');
      setTimeout(() => response.reset(), 10);
    });
    for (const url of [`http://${short}/`, chunked.url]) {
      const { body } = await portWith().request(post(url));
      const seen: string[] = [];
      const reading = (async () => {
        for await (const chunk of body) seen.push(Buffer.from(chunk).toString());
      })();
      expect(await faultOf(reading)).toEqual({
        fault: 'reset',
        code: 'http/reset',
        isRetryable: true,
        phase: 'body',
        systemCode: 'ECONNRESET',
      });
      expect(seen).toEqual(['half']);
    }
  });

  test('that nobody reads does not end the process', async () => {
    const server = await serve(async (_, response) => {
      response.start(200, {});
      response.reset();
    });
    const { status } = await portWith().request(post(server.url));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(status).toBe(200);
  });
});

describe('an abort', () => {
  const aborted = (phase: string): unknown => ({
    fault: 'aborted',
    code: 'http/aborted',
    isRetryable: false,
    phase,
    systemCode: null,
  });

  test('before the request sends nothing', async () => {
    let connections = 0;
    const address = await tcp(() => {
      connections += 1;
    });
    const signal = AbortSignal.abort();
    expect(await faultOf(portWith().request(post(`http://${address}/`, { signal })))).toEqual(aborted('connect'));
    expect(connections).toBe(0);
  });

  test('works during the TLS handshake', async () => {
    const silent = await tcp(() => undefined);
    const work = portWith().request(post(`https://${silent}/`, { signal: abortAfter(20) }));
    expect(await faultOf(work)).toEqual(aborted('connect'));
  });

  test('works while the answer is waited for', async () => {
    const silent = await tcp(() => undefined);
    const work = portWith().request(post(`http://${silent}/`, { signal: abortAfter(20) }));
    expect(await faultOf(work)).toEqual(aborted('headers'));
  });

  test('works within the body and closes the connection', async () => {
    let closed: AbortSignal | undefined;
    const server = await serve(async (_, response) => {
      closed = response.closed;
      response.start(200, {});
      await response.write('first');
    });
    const { body } = await portWith().request(post(server.url, { signal: abortAfter(30) }));
    expect(await faultOf(readText(body))).toEqual(aborted('body'));
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(closed?.aborted).toBe(true);
  });
});

describe('a time limit', () => {
  const expired = (phase: string): unknown => ({
    fault: 'timeout',
    code: 'http/timeout',
    isRetryable: true,
    phase,
    systemCode: null,
  });
  const limits = (more: Partial<HttpRequest['timeouts']>): Partial<HttpRequest> => ({
    timeouts: { connectMs: null, headersMs: null, idleMs: null, ...more },
  });

  test('holds for the connection, TLS included', async () => {
    const silent = await tcp(() => undefined);
    const work = portWith().request(post(`https://${silent}/`, limits({ connectMs: 20 })));
    expect(await faultOf(work)).toEqual(expired('connect'));
  });

  test('holds for the answer', async () => {
    const silent = await tcp(() => undefined);
    const work = portWith().request(post(`http://${silent}/`, limits({ connectMs: 1000, headersMs: 20 })));
    expect(await faultOf(work)).toEqual(expired('headers'));
  });

  test('holds between chunks, and starts anew with each', async () => {
    const server = await serve(async (_, response) => {
      response.start(200, {});
      // All of them together take longer than the limit, each far less: a busy machine is not to break it.
      for (let index = 0; index < 5; index += 1) {
        await response.write(String(index));
        await new Promise((resolve) => setTimeout(resolve, 40));
      }
    });
    const { body } = await portWith().request(post(server.url, limits({ idleMs: 160 })));
    const seen: string[] = [];
    const reading = (async () => {
      for await (const chunk of body) seen.push(Buffer.from(chunk).toString());
    })();
    expect(await faultOf(reading)).toEqual(expired('body'));
    expect(seen.join('')).toBe('01234');
  });

  test('does not count the time that the reader takes', async () => {
    const server = await serve(async (_, response) => {
      response.start(200, {});
      await response.write('a');
      response.end();
    });
    const { body } = await portWith().request(post(server.url, limits({ idleMs: 100 })));
    let text = '';
    for await (const chunk of body) {
      text += Buffer.from(chunk).toString();
      await new Promise((resolve) => setTimeout(resolve, 150));
    }
    expect(text).toBe('a');
  });
});

describe('a proxy', () => {
  test.each(['http', 'https'])('that is not there is named for an %s address', async (scheme) => {
    // Nothing listens on the port of a server that was closed.
    const server = await portWith().listen(0, async () => undefined);
    await server.close();
    const { host } = new URL(server.url);
    const http = portWith({ all_proxy: server.url });
    await expect(http.request(post(`${scheme}://h.test/`))).rejects.toMatchObject({
      message: `h.test: the proxy ${host}: connection refused (ECONNREFUSED)`,
      data: { proxy: host },
    });
  });

  test('is asked for an http address in absolute form, with its own credentials', async () => {
    const seen: string[] = [];
    const proxy = await tcp((socket) =>
      socket.once('data', (bytes) => {
        seen.push(...bytes.toString().split('\r\n'));
        socket.end('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nproxy');
      }),
    );
    const http = portWith({ http_proxy: `http://me:p%20w@${proxy}` });
    const { body } = await http.request(post('http://models.test:81/v1?x=1', { headers: { 'x-own': '1' } }));
    expect(await readText(body)).toBe('proxy');
    expect(seen).toEqual([
      'POST http://models.test:81/v1?x=1 HTTP/1.1',
      'host: models.test:81',
      'x-own: 1',
      'proxy-authorization: Basic bWU6cCB3',
      'Connection: close',
      'Content-Length: 2',
      '',
      '{}',
    ]);
  });

  test('is asked for a tunnel to an https address, and its refusal is told', async () => {
    const seen: string[] = [];
    const proxy = await tcp((socket) =>
      socket.once('data', (bytes) => {
        seen.push(bytes.toString().split('\r\n')[0] ?? '');
        socket.end('HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n');
      }),
    );
    const work = portWith({ HTTPS_PROXY: proxy }).request(post('https://models.test/v1'));
    const error = (await work.catch((caught: unknown) => caught)) as HttpError;
    expect([error.fault, error.message, seen]).toEqual([
      'refused',
      `models.test: the proxy ${proxy} answered 407`,
      ['CONNECT models.test:443 HTTP/1.1'],
    ]);
  });

  test('carries the TLS handshake through its tunnel', async () => {
    let hello: Buffer | undefined;
    const proxy = await tcp((socket) =>
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\n\r\n');
        socket.once('data', (bytes) => {
          hello = bytes;
          socket.end('no tls');
        });
      }),
    );
    const work = portWith({ https_proxy: proxy }).request(post('https://models.test/v1'));
    expect(await faultOf(work)).toMatchObject({ fault: 'tls', phase: 'connect' });
    expect([hello?.[0], hello?.includes('models.test')]).toEqual([0x16, true]);
  });

  test('can be aborted while the tunnel is opened', async () => {
    const proxy = await tcp(() => undefined);
    const work = portWith({ https_proxy: proxy }).request(post('https://models.test/', { signal: abortAfter(20) }));
    expect(await faultOf(work)).toMatchObject({ fault: 'aborted', phase: 'connect' });
  });

  test('of a kind that is not spoken is an error, not bypassed', async () => {
    const work = portWith({ all_proxy: 'socks5://127.0.0.1:1' }).request(post('https://models.test/'));
    const error = (await work.catch((caught: unknown) => caught)) as HttpError;
    expect(error.message).toBe('the proxy socks5://127.0.0.1:1 is not supported: only http and https are');
  });
});

describe('the listener', () => {
  test('tells a handler when the client is gone', async () => {
    let wrote: boolean | undefined;
    const server = await serve(async (_, response) => {
      response.start(200, {});
      await response.write('x');
      await new Promise<void>((resolve) => response.closed.addEventListener('abort', () => resolve()));
      wrote = await response.write('y');
    });
    const { body } = await portWith().request(post(server.url));
    for await (const _ of body) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(wrote).toBe(false);
  });

  test('cuts the connection of a handler that throws', async () => {
    const server = await serve(async () => {
      throw new HttpError('failed', 'handler', {});
    });
    expect(await faultOf(portWith().request(post(server.url)))).toMatchObject({ fault: 'reset' });
  });

  test('says that a port is taken', async () => {
    const server = await serve(async () => undefined);
    const { port } = new URL(server.url);
    const work = portWith().listen(Number(port), async () => undefined);
    const message = `cannot listen on 127.0.0.1:${port}: something else does already: choose another port`;
    await expect(work).rejects.toMatchObject({ message });
    expect(await faultOf(work)).toMatchObject({ fault: 'failed', phase: 'listen', systemCode: 'EADDRINUSE' });
  });
});
