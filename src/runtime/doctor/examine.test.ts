import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { HttpResponse } from '../../host/index.ts';
import { createMemoryHost, type MemoryHostOptions } from '../../host/memory/index.ts';
import { type DoctorOptions, examine } from './examine.ts';
import { OLDEST_NODE } from './examine-machine.ts';
import type { Check, Finding } from './finding.ts';

const SETTINGS = '/home/user/.config/rein/settings.json';

function machine(options: MemoryHostOptions = {}) {
  return createMemoryHost({
    ...options,
    files: {
      '/home/user/project/.git': { directory: true },
      '/bin/bash': { content: '', mode: 0o755 },
      ...options.files,
    },
  });
}

async function findings(options: DoctorOptions = {}, on: MemoryHostOptions = {}): Promise<readonly Finding[]> {
  return (await examine(options, machine(on))).findings;
}

/** Status and message of what was found of one thing. */
async function found(check: Check, options: DoctorOptions = {}, on: MemoryHostOptions = {}): Promise<string[]> {
  const all = await findings(options, on);
  return all.filter((one) => one.check === check).map(({ status, message }) => `${status}: ${message}`);
}

function answer(status: number, body: unknown = ''): HttpResponse {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return {
    status,
    headers: {},
    body: (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  };
}

test('the oldest Node.js is that of the package', () => {
  const manifest = readFileSync(join(import.meta.dirname, '../../../package.json'), 'utf8');
  const { engines } = JSON.parse(manifest) as { engines: { node: string } };
  expect(engines.node).toBe(`>=${OLDEST_NODE}`);
});

test('on a bare machine the one problem is that no model is configured', async () => {
  const { ok, findings: all } = await examine({}, machine());
  expect({ ok, all: all.map(({ check, status, message }) => [check, status, message]) }).toEqual({
    ok: false,
    all: [
      ['program', 'ok', 'rein 0.1.0 on Node.js 20.20.0, linux x64 (6.1.0)'],
      ['directory', 'ok', '/home/user/project, in the repository /home/user/project'],
      ['settings', 'ok', `no user settings (${SETTINGS})`],
      ['settings', 'ok', 'no project settings (/home/user/project/.rein/settings.json)'],
      ['harness', 'ok', 'rein (the default)'],
      ['model', 'problem', 'no model is configured'],
      ['keys', 'note', 'no variable of a provider’s key is set'],
      ['permissions', 'ok', 'mode read-only (the default of print mode)'],
      ['trust', 'ok', 'no setting here waits for your trust'],
      ['sandbox', 'note', 'this version has none: what a command may do, it does with your rights'],
      ['sessions', 'ok', '/home/user/.local/state/rein/sessions can be written'],
      ['shell', 'ok', '/bin/bash runs the commands'],
      ['git', 'note', 'git is not on the PATH: repositories are recognised, but the model cannot use it'],
      ['search', 'note', 'ripgrep (rg) is neither packaged nor on the PATH: searching is slower without it'],
      ['proxy', 'ok', 'no proxy is set'],
    ],
  });
});

test('under a harness that searches the web by a service, what keeps it from doing so is said', async () => {
  const found = async (config: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const { findings: all } = await examine({ config: [...config] }, machine({ env }));
    return all.filter(({ check }) => check === 'web-search').map(({ status, message }) => [status, message]);
  };
  const service = ['harness=kimi-cli', 'web.search_url="https://s.example/v1"'];
  const keyed = [...service, 'web.search_key_env=MY_KEY'];
  expect([
    await found([]),
    await found(['harness=kimi-cli']),
    await found(service),
    await found(keyed),
    await found(keyed, { MY_KEY: 'sk-1' }),
  ]).toEqual([
    [],
    [['note', 'no service is configured: SearchWeb is not offered to the model']],
    [['ok', 'https://s.example/v1 is asked, without a key']],
    [['warning', 'https://s.example/v1 is asked, and MY_KEY is not set']],
    [['ok', 'https://s.example/v1 is asked, with the key in MY_KEY']],
  ]);
});

test('a whole set-up is found: model by file and line, key by its variable alone, programs by their answer', async () => {
  const host = machine({
    env: { OPENAI_API_KEY: 'sk-very-secret', PATH: 'relative:/usr/bin', https_proxy: 'http://ada:pass@proxy:3128' },
    files: {
      [SETTINGS]: '{\n  "model": "openai/gpt-5.1",\n  "permission_mode": "yolo"\n}',
      '/usr/bin/git': { content: '', mode: 0o755 },
      '/usr/bin/rg': { content: '', mode: 0o755 },
    },
    processes: ({ file }) => ({
      output: [file === '/usr/bin/git' ? 'git version 2.50.0\n' : 'ripgrep 15.0.0\nfeatures'],
    }),
    sleep: 'manual',
  });
  const report = await examine({}, host);
  const { findings: all } = report;
  expect(report.ok).toBe(true);
  expect(all.slice(2).map(({ check, status, message }) => [check, status, message])).toEqual([
    ['settings', 'ok', `user settings ${SETTINGS}`],
    ['settings', 'ok', 'no project settings (/home/user/project/.rein/settings.json)'],
    ['harness', 'ok', 'rein (the default)'],
    ['model', 'ok', `openai/gpt-5.1 over the chat wire (user settings ${SETTINGS}:2)`],
    ['keys', 'ok', 'the key is in OPENAI_API_KEY'],
    ['server', 'note', 'https://api.openai.com/v1, not asked'],
    ['keys', 'note', 'set: OPENAI_API_KEY'],
    ['permissions', 'ok', `mode yolo (user settings ${SETTINGS}:3)`],
    ['trust', 'ok', 'no setting here waits for your trust'],
    ['sandbox', 'note', 'this version has none: what a command may do, it does with your rights'],
    ['sessions', 'ok', '/home/user/.local/state/rein/sessions can be written'],
    ['shell', 'ok', '/bin/bash runs the commands'],
    ['git', 'ok', 'git version 2.50.0 (/usr/bin/git)'],
    ['search', 'ok', 'ripgrep 15.0.0 (/usr/bin/rg)'],
    ['proxy', 'note', 'https_proxy=http://[masked]@proxy:3128'],
  ]);
  expect(JSON.stringify(report)).not.toMatch(/very-secret|pass@/);
  expect(host.http.requests).toEqual([]);
  expect(host.process.spawned.map(({ env }) => env.OPENAI_API_KEY)).toEqual([undefined, undefined]);
});

test('a program that does not answer is stopped', async () => {
  const host = machine({
    env: { PATH: '/usr/bin' },
    files: { '/usr/bin/git': { content: '', mode: 0o755 } },
    processes: () => ({ exit: 'never' }),
  });
  const { findings: all } = await examine({}, host);
  expect(all.find(({ check }) => check === 'git')).toEqual({
    check: 'git',
    status: 'warning',
    message: '/usr/bin/git does not answer to --version',
    data: { path: '/usr/bin/git', version: null },
  });
  expect(host.process.signals.map(({ signal }) => signal)).toEqual(['SIGKILL']);
});

test('a state directory that may not be written is a problem', async () => {
  const host = machine({ files: { '/home/user/.local': { directory: true } } });
  host.faults.refuse['/home/user/.local'] = 'EACCES';
  const { findings: all } = await examine({}, host);
  expect(all.find(({ check }) => check === 'sessions')?.message).toBe(
    'no session can be kept in /home/user/.local/state/rein/sessions: cannot stat /home/user/.local/state/rein/sessions: permission denied',
  );
});

test('nothing stays behind', async () => {
  const host = machine();
  const before = await host.files.list('/home/user');
  await examine({}, host);
  expect(await host.files.list('/home/user')).toEqual(before);
});

test('programs of the repository, and of relative places, are not run', async () => {
  const host = machine({
    env: { PATH: 'bin:.:/home/user/project/bin:/linked' },
    files: {
      '/home/user/project/bin/git': { content: '', mode: 0o755 },
      '/linked/git': { link: '/home/user/project/bin/git' },
    },
    processes: () => ({ output: ['git version 666\n'] }),
  });
  await examine({}, host);
  expect(host.process.spawned).toEqual([]);
});

test.each<[name: string, options: DoctorOptions, on: MemoryHostOptions, check: Check, expected: string[]]>([
  ['a misspelt harness', { harness: 'reni' }, {}, 'harness', ['problem: unknown harness "reni"; did you mean "rein"?']],
  [
    'a key that is missing',
    { model: 'openai/gpt-5.1' },
    {},
    'keys',
    ['problem: provider "openai" needs a key: set OPENAI_API_KEY', 'note: no variable of a provider’s key is set'],
  ],
  [
    'a server of one’s own without a key',
    { model: 'm', baseUrl: 'http://ada:pw@127.0.0.1:9/v1' },
    {},
    'server',
    ['note: http://[masked]@127.0.0.1:9/v1, not asked'],
  ],
  [
    'a rehearsal script that is not there',
    { model: 'rehearsal/none.yaml' },
    {},
    'model',
    ['problem: cannot read the rehearsal script /home/user/project/none.yaml: no such file or directory'],
  ],
  [
    'a clock that is none',
    {},
    { env: { REIN_NOW: 'noon' } },
    'clock',
    ['problem: REIN_NOW is "noon"; it must be an RFC 3339 time such as 2026-11-30T21:04:05+02:00'],
  ],
  [
    'a fault in a settings file, by line and column',
    {},
    { files: { [SETTINGS]: '{\n  "modle": "a/b"\n}' } },
    'settings',
    [
      `ok: user settings ${SETTINGS}`,
      'ok: no project settings (/home/user/project/.rein/settings.json)',
      `warning: ${SETTINGS}:2:3: there is no setting modle; did you mean model?`,
    ],
  ],
  [
    'a setting of a project that waits for trust',
    {},
    { files: { '/home/user/project/.rein/settings.json': '{ "permission_mode": "yolo" }' } },
    'trust',
    [
      'warning: /home/user/project/.rein/settings.json: ignored, since these settings are not trusted: permission_mode; read the file, then: rein trust (--trust for one run)',
    ],
  ],
  [
    'a setting that is trusted for this run',
    { trust: true },
    { files: { '/home/user/project/.rein/settings.json': '{ "permission_mode": "yolo" }' } },
    'trust',
    ['ok: trusted: /home/user/project/.rein/settings.json'],
  ],
  [
    'a file where the sessions’ directory should be',
    {},
    { files: { '/home/user/.local': 'a file' } },
    'sessions',
    ['problem: no session can be kept in /home/user/.local/state/rein/sessions: /home/user/.local is not a directory'],
  ],
])('%s is found', async (_name, options, on, check, expected) => {
  expect(await found(check, options, on)).toEqual(expected);
});

const LIST = { data: [{ id: 'small' }, { id: 'models/large' }, { id: 7 }] };
const URL = 'http://127.0.0.1:9/v1';

test.each<[status: number, body: unknown, expected: string]>([
  [200, { data: [{ id: 'm' }] }, `ok: ${URL} answers, and has the model`],
  [200, LIST, `warning: ${URL} answers, but its list of 2 models lacks "m"`],
  [200, 'hello', `note: ${URL} answers (200), but has no list of models`],
  [404, '', `note: ${URL} answers (404), but has no list of models`],
  [401, '', `problem: ${URL} refuses the key in REIN_API_KEY (401)`],
  [503, '', `warning: ${URL} answers with an error of its own (503)`],
])('asked online, an answer of %i %j is understood', async (status, body, expected) => {
  const on: MemoryHostOptions = {
    env: { REIN_API_KEY: 'key-of-mine' },
    sleep: 'manual',
    http: () => answer(status, body),
  };
  const host = machine(on);
  const { findings: all } = await examine({ model: 'm', baseUrl: URL, online: true }, host);
  expect(all.filter(({ check }) => check === 'server').map((one) => `${one.status}: ${one.message}`)).toEqual([
    expected,
  ]);
  expect(host.http.requests.map(({ url, method, headers }) => ({ url, method, key: headers.authorization }))).toEqual([
    { url: `${URL}/models`, method: 'GET', key: 'Bearer key-of-mine' },
  ]);
});

test('asked online, a server that is not there or says nothing in time is a problem', async () => {
  const options = { model: 'm', baseUrl: URL, online: true };
  expect(await found('server', options, { sleep: 'manual' })).toEqual([
    `problem: ${URL} cannot be reached: 127.0.0.1:9: refused: is the server running, and on this port?`,
  ]);
  const silent = (): Promise<HttpResponse> => new Promise(() => undefined);
  const host = machine({ sleep: 'instant' });
  await host.http.listen(9, silent as never);
  const { findings: all } = await examine(options, host);
  expect(all.find(({ check }) => check === 'server')?.message).toBe(
    `${URL} cannot be reached: no answer within 3 seconds`,
  );
});

test('a missing name is told with the nearest one that the server has', async () => {
  const all = await findings(
    { model: 'larg', baseUrl: URL, online: true },
    { sleep: 'manual', http: () => answer(200, LIST) },
  );
  expect(all.find(({ check }) => check === 'server')?.advice).toBe('did you mean "large"?');
});

test.each<[string, string, number, Finding['status'], string]>([
  [
    'without its version',
    'http://127.0.0.1:9',
    404,
    'warning',
    'base URLs mostly end in /v1: try http://127.0.0.1:9/v1',
  ],
  [
    'with the path of the requests',
    `${URL}/chat/completions`,
    200,
    'warning',
    `the base URL ends before /chat/completions: try ${URL}`,
  ],
])('a base URL %s is told with a better one', async (_name, baseUrl, status, expected, advice) => {
  const all = await findings(
    { model: 'm', baseUrl, online: true },
    { sleep: 'manual', http: () => answer(status, { error: 'no such path' }) },
  );
  const server = all.find(({ check }) => check === 'server');
  expect({ status: server?.status, advice: server?.advice }).toEqual({ status: expected, advice });
});

test.each<[string, DoctorOptions, string, string]>([
  ['an ad hoc server', { model: 'm', baseUrl: URL }, '{}', 'set REIN_API_KEY'],
  [
    'a server of the settings',
    { model: 'work/m' },
    `{ "providers": { "work": { "base_url": "${URL}" } } }`,
    'name its variable in providers.work.api_key_env',
  ],
])('%s that wants a key where none is set is told so', async (_name, options, settings, way) => {
  const on: MemoryHostOptions = { files: { [SETTINGS]: settings }, sleep: 'manual', http: () => answer(401) };
  expect(await found('server', { ...options, online: true }, on)).toEqual([
    `problem: ${URL} refuses to answer without a key (401): ${way}`,
  ]);
});
