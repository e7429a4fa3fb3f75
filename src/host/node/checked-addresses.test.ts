import { afterEach, expect, test } from 'vitest';
import { type EnvPort, HttpError, type HttpPort, type HttpRequest, type HttpServer } from '../index.ts';
import { createNodeEnv } from './node-env.ts';
import { createNodeHttp } from './node-http.ts';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

function portWith(variables: Record<string, string> = {}): HttpPort {
  const env: EnvPort = { ...createNodeEnv(), get: (name) => variables[name] };
  return createNodeHttp(env);
}

async function serve(): Promise<{ server: HttpServer; port: string; reached: string[] }> {
  const reached: string[] = [];
  const server = await portWith().listen(0, async ({ target }, response) => {
    reached.push(target);
    response.start(200, {});
    response.end();
  });
  closers.push(() => server.close());
  return { server, port: new URL(server.url).port, reached };
}

function get(url: string, allowAddress: (address: string) => boolean): HttpRequest {
  return {
    url,
    method: 'GET',
    headers: {},
    signal: new AbortController().signal,
    timeouts: { connectMs: 5000, headersMs: 5000, idleMs: 5000 },
    allowAddress,
  };
}

async function outcome(http: HttpPort, request: HttpRequest): Promise<unknown> {
  try {
    const response = await http.request(request);
    for await (const _ of response.body);
    return response.status;
  } catch (error) {
    return error instanceof HttpError ? `${error.code}: ${error.message}` : error;
  }
}

test('a literal address is asked of, and one that is refused is not connected to', async () => {
  const { port, reached } = await serve();
  const asked: string[] = [];
  const refuse = (address: string): boolean => asked.push(address) === 0;
  for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::1]', '[::ffff:127.0.0.1]']) {
    expect(await outcome(portWith(), get(`http://${host}:${port}/x`, refuse))).toMatch(/^http\/forbidden: /);
  }
  expect(asked).toEqual(['127.0.0.1', '127.0.0.1', '127.0.0.1', '::1', '::ffff:7f00:1']);
  expect(reached).toEqual([]);
});

test('the addresses of a name are asked of, and the one connected to is among them', async () => {
  const { port, reached } = await serve();
  const asked: string[] = [];
  const http = portWith();
  expect(
    await outcome(
      http,
      get(`http://localhost:${port}/no`, () => false),
    ),
  ).toMatch(/^http\/forbidden: localhost:\d+: the address (127\.0\.0\.1|::1) is not allowed$/);
  const allowed = get(`http://localhost:${port}/yes`, (address) => asked.push(address) > 0);
  expect(await outcome(http, allowed)).toBe(200);
  expect(asked).toContain('127.0.0.1');
  expect(reached).toEqual(['/yes']);
});

test('a connection that is kept from a request without a check is not used by one that has it', async () => {
  const { port, reached } = await serve();
  const http = portWith();
  const url = `http://localhost:${port}`;
  const { allowAddress: _, ...free } = get(`${url}/free`, () => true);
  expect(await outcome(http, free)).toBe(200);
  expect(
    await outcome(
      http,
      get(`${url}/checked`, () => false),
    ),
  ).toMatch(/^http\/forbidden: /);
  expect(reached).toEqual(['/free']);
});

test('before a proxy is asked, the address is checked here; a name unknown here is refused', async () => {
  const proxy = await serve();
  const http = portWith({ http_proxy: proxy.server.url });
  expect(
    await outcome(
      http,
      get('http://10.0.0.1/a', (address) => address !== '10.0.0.1'),
    ),
  ).toBe('http/forbidden: 10.0.0.1: the address 10.0.0.1 is not allowed');
  expect(
    await outcome(
      http,
      get('http://10.0.0.1/b', () => true),
    ),
  ).toBe(200);
  expect(
    await outcome(
      http,
      get('http://unknown.invalid/c', () => true),
    ),
  ).toMatch(/^http\/dns: unknown\.invalid: /);
  expect(proxy.reached).toEqual(['http://10.0.0.1/b']);
});
