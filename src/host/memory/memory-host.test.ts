import { describe, expect, test } from 'vitest';
import { HttpError, type HttpRequest, ProcessError } from '../index.ts';
import { createMemoryHost, type MemoryHost } from './index.ts';

function post(url: string, signal: AbortSignal = new AbortController().signal): HttpRequest {
  const timeouts = { connectMs: null, headersMs: null, idleMs: null };
  return { url, method: 'POST', headers: { 'X-One': '1' }, body: 'hé', signal, timeouts };
}

async function faultOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.catch((caught: unknown) => caught);
  return error instanceof HttpError ? error.fault : error;
}

async function readText(body: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of body) text += Buffer.from(chunk).toString('utf8');
  return text;
}

describe('the clock', () => {
  test('stands still, and a sleep moves it', async () => {
    const { clock } = createMemoryHost({ now: '2026-11-30T21:04:05.123456+02:00' });
    await clock.sleep(1000);
    expect([clock.now(), clock.monotonicMs(), clock.slept]).toEqual([
      { epochMs: Date.parse('2026-11-30T19:04:06.123Z'), micros: 456, offsetMinutes: 120 },
      1000,
      [1000],
    ]);
  });

  test('lets manual sleepers wait until it is moved far enough, or they are aborted', async () => {
    const { clock } = createMemoryHost({ sleep: 'manual' });
    const woken: string[] = [];
    const abort = new AbortController();
    const sleeps = [
      clock.sleep(50).then(() => woken.push('50')),
      clock.sleep(20).then(() => woken.push('20')),
      clock.sleep(90, abort.signal).then(() => woken.push('aborted')),
    ];
    clock.advance(19);
    await Promise.resolve();
    expect(woken).toEqual([]);
    clock.advance(40);
    abort.abort();
    await Promise.all(sleeps);
    expect(woken).toEqual(['20', '50', 'aborted']);
  });
});

describe('the environment', () => {
  test('is only what was given', () => {
    const { env } = createMemoryHost({ env: { A: '1' }, cwd: '/w', home: '/h', platform: 'darwin', uid: 7 });
    expect([env.all(), env.get('A'), env.get('PATH'), env.cwd(), env.home(), env.platform(), env.uid()]).toEqual([
      { A: '1' },
      '1',
      undefined,
      '/w',
      '/h',
      'darwin',
      7,
    ]);
  });

  test('has the working directory and the home on its disk', async () => {
    const { files } = createMemoryHost();
    expect([(await files.stat('/home/user'))?.kind, (await files.stat('/home/user/project'))?.kind]).toEqual([
      'directory',
      'directory',
    ]);
  });
});

test('random bytes depend on the seed alone', () => {
  const bytes = (seed: string): number[] => [...createMemoryHost({ seed }).random.bytes(40)];
  expect(bytes('a')).toEqual(bytes('a'));
  expect(bytes('a')).not.toEqual(bytes('b'));
  const { random } = createMemoryHost();
  expect([...random.bytes(10)]).not.toEqual([...random.bytes(10)]);
});

describe('a scripted program', () => {
  const start = (host: MemoryHost) => host.process.spawn({ file: 'x', args: ['1'], cwd: '/', env: {} });

  test('writes, exits, and was seen', async () => {
    const host = createMemoryHost({
      processes: () => ({ output: ['out', { stream: 'stderr', bytes: Buffer.from('err') }], exit: 2 }),
    });
    const child = await start(host);
    const seen: string[] = [];
    for await (const { stream, bytes } of child.output) seen.push(`${stream} ${Buffer.from(bytes)}`);
    expect([seen, await child.exited, child.groupAlive(), host.process.spawned]).toEqual([
      ['stdout out', 'stderr err'],
      { code: 2, signal: null },
      false,
      [{ file: 'x', args: ['1'], cwd: '/', env: {} }],
    ]);
  });

  test('that never ends is ended by the signal it does not ignore', async () => {
    const child = await start(createMemoryHost({ processes: () => ({ exit: 'never', ignoresTerm: true }) }));
    expect([child.killGroup('SIGTERM'), child.groupAlive()]).toEqual([true, true]);
    expect([child.killGroup('SIGKILL'), child.groupAlive(), child.killGroup('SIGKILL')]).toEqual([true, false, false]);
    expect(await child.exited).toEqual({ code: null, signal: 'SIGKILL' });
  });

  test('that left a child keeps the output open until it is detached', async () => {
    const child = await start(createMemoryHost({ processes: () => ({ leavesChild: true }) }));
    expect([await child.exited, child.groupAlive()]).toEqual([{ code: 0, signal: null }, true]);
    child.detachOutput();
    const chunks: unknown[] = [];
    for await (const chunk of child.output) chunks.push(chunk);
    expect(chunks).toEqual([]);
  });

  test('that is in no script cannot be started', async () => {
    const error = await start(createMemoryHost()).catch((caught: unknown) => caught);
    expect(error instanceof ProcessError && error.code).toBe('process/enoent');
  });
});

describe('HTTP', () => {
  test('reaches the handler that listens in the same process', async () => {
    const { http } = createMemoryHost();
    const server = await http.listen(0, async (request, response) => {
      response.start(201, { 'X-Two': '2' });
      await response.write(`${request.method} ${request.target} ${request.headers['x-one']} `);
      await response.write(request.body);
      response.end();
    });
    const answer = await http.request(post(`${server.url}/a?b`));
    expect([answer.status, answer.headers, await readText(answer.body)]).toEqual([
      201,
      { 'x-two': '2' },
      'POST /a?b 1 hé',
    ]);
    await server.close();
    expect(await faultOf(http.request(post(server.url)))).toBe('refused');
  });

  test('reports what a handler does to the connection', async () => {
    const { http } = createMemoryHost();
    const server = await http.listen(0, async (request, response) => {
      if (request.target === '/early') return response.reset();
      response.start(200, {});
      await response.write('half');
      response.reset();
    });
    expect(await faultOf(http.request(post(`${server.url}/early`)))).toBe('reset');
    const { body } = await http.request(post(`${server.url}/late`));
    expect(await faultOf(readText(body))).toBe('reset');
  });

  test('is aborted before the answer and within it, and the handler is told', async () => {
    const { http } = createMemoryHost();
    let closed: AbortSignal | undefined;
    const server = await http.listen(0, async (request, response) => {
      closed = response.closed;
      if (request.target === '/answers') response.start(200, {});
    });
    const early = new AbortController();
    const waiting = http.request(post(server.url, early.signal));
    early.abort();
    expect([await faultOf(waiting), closed?.aborted]).toEqual(['aborted', true]);
    const late = new AbortController();
    const { body } = await http.request(post(`${server.url}/answers`, late.signal));
    late.abort();
    expect([await faultOf(readText(body)), closed?.aborted]).toEqual(['aborted', true]);
  });

  test('is answered by the script where nobody listens, and every request is kept', async () => {
    const host = createMemoryHost({
      http: ({ url }) => ({ status: 200, headers: { at: url }, body: (async function* () {})() }),
    });
    const { headers } = await host.http.request(post('https://api.test/v1'));
    expect([headers, host.http.requests.map(({ url }) => url), host.calls]).toEqual([
      { at: 'https://api.test/v1' },
      ['https://api.test/v1'],
      { 'http.request': 1 },
    ]);
  });
});
