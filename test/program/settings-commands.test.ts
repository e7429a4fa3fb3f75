import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { type Ended, toolNamesOf, workspace } from '../../conformance/rig.ts';
import { settingsSchema } from '../../src/config/index.ts';

const NO_MODEL = { REIN_MODEL: '', REIN_BASE_URL: '' };

function messages(ended: Ended, check: string): string[] {
  const { findings } = JSON.parse(ended.stdout) as { findings: { check: string; status: string; message: string }[] };
  return findings.filter((one) => one.check === check).map(({ status, message }) => `${status}: ${message}`);
}

test('rein config shows each value with its place, and faults of the files on stderr', async () => {
  const w = await workspace({
    '.git/': null,
    '~/.config/rein/settings.json': '{\n  // mine\n  "effort": "low",\n  "modle": "x"\n}\n',
  });
  const user = w.path('~/.config/rein/settings.json');
  const { code, stdout, stderr } = await w.run(['config', '-c', 'max_turns=7'], { env: NO_MODEL });
  const lines = stdout.split('\n').map((line) => line.replace(/ {2,}/g, ' | '));
  expect(lines.filter((line) => /^(model|harness|effort|max_turns) /.test(line))).toEqual([
    'model = not chosen | default',
    'harness = "kli" | environment | REIN_HARNESS',
    `effort = "low" | user | ${user}:3`,
    'max_turns = 7 | -c',
  ]);
  expect([code, stderr]).toEqual([0, `${user}:4:3: warning: there is no setting modle; did you mean model?\n`]);
});

test('rein config path names both files, your own first; rein config schema is the schema', async () => {
  const w = await workspace({ '.git/': null, 'sub/': null });
  const paths = await w.run(['config', 'path'], { cwd: 'sub' });
  expect(paths.stdout).toBe(`${w.path('~/.config/rein/settings.json')}\n${w.path('.rein/settings.json')}\n`);
  const schema = await w.run(['config', 'schema']);
  expect(JSON.parse(schema.stdout)).toEqual(JSON.parse(JSON.stringify(settingsSchema())));
});

test('rein doctor ends with 1 where no model is configured, with 0 where one is', async () => {
  const w = await workspace({ '.git/': null });
  const without = await w.run(['doctor'], { env: NO_MODEL });
  expect([without.code, without.stderr, without.stdout.trimEnd().split('\n').at(-1)]).toEqual([
    1,
    '',
    '1 problem keeps a run from working.',
  ]);
  const env = { REIN_API_KEY: 'a-key-of-mine', HTTPS_PROXY: 'http://ada:lovelace@proxy:1' };
  const found = await w.run(['doctor', '--json'], { env });
  expect([found.code, found.stderr, /a-key-of-mine|lovelace/.test(found.stdout)]).toEqual([0, '', false]);
  expect([...messages(found, 'model'), ...messages(found, 'keys'), ...messages(found, 'server')]).toEqual([
    'ok: custom/rehearsed over the chat wire (REIN_MODEL)',
    'ok: the key is in REIN_API_KEY',
    'note: set: REIN_API_KEY',
    `note: ${w.server.url}, not asked`,
  ]);
  expect(w.requests()).toEqual([]);
});

test('rein doctor --online asks the server for its models, and nothing else', async () => {
  const w = await workspace({ '.git/': null });
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
    response.end('{"data":[{"id":"rehearsed"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const online = (more: Record<string, string>): Promise<Ended> =>
    w.run(['doctor', '--online', '--json'], { env: { REIN_BASE_URL: url, ...more } });
  const there = await online({ REIN_API_KEY: 'k-1' });
  expect([there.code, messages(there, 'server'), asked]).toEqual([
    0,
    [`ok: ${url} answers, and has the model`],
    ['GET /v1/models Bearer k-1'],
  ]);
  const gone = await online({ REIN_BASE_URL: 'http://127.0.0.1:1/v1' });
  expect([
    gone.code,
    messages(gone, 'server')[0]?.startsWith('problem: http://127.0.0.1:1/v1 cannot be reached'),
  ]).toEqual([1, true]);
});

test('rein models lists what the server has, a name a line, and says what went wrong', async () => {
  const w = await workspace({ '.git/': null });
  const server = createServer((_request, response) => {
    response.end('{"data":[{"id":"org/Small"},{"id":"org/large"}]}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const env = { REIN_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` };
  expect((await w.run(['models'], { env })).stdout).toBe('org/Small\norg/large\n');
  expect((await w.run(['models', 'SMALL'], { env })).stdout).toBe('org/Small\n');
  const gone = await w.run(['models'], { env: { REIN_BASE_URL: 'http://127.0.0.1:1/v1' } });
  expect([gone.code, gone.stdout, gone.stderr.startsWith('rein: custom (http://127.0.0.1:1/v1): ')]).toEqual([
    1,
    '',
    true,
  ]);
  const nobody = await w.run(['models'], { env: NO_MODEL });
  expect([nobody.code, nobody.stderr.startsWith('rein: no model server to ask: ')]).toEqual([2, true]);
});

test('--max-turns ends the run after so many requests, with exit code 1 and a result that says so', async () => {
  const calls = [{ name: 'read', arguments: '{"path":"."}' }];
  const w = await workspace({ '.git/': null }, { replies: [{ calls, repeat: true }], harness: 'rein' });
  const { code, stdout } = await w.run(['-p', '--max-turns', '2', '--output', 'json', 'go on']);
  const { stopReason, turns } = JSON.parse(stdout) as { stopReason: string; turns: number };
  expect({ code, stopReason, turns, requests: w.requests().length }).toEqual({
    code: 1,
    stopReason: 'max_turns',
    turns: 2,
    requests: 2,
  });
});

test('--tools offers these alone; a name that is none is refused with the nearest one', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'rein' });
  await w.print(['--tools', 'write,read', 'hello']);
  expect(toolNamesOf(w.requests()[0])).toEqual(['read', 'write']);
  const refused = await w.run(['-p', '--tools', 'read,shel', 'hello']);
  expect([refused.code, refused.stderr, w.requests().length]).toEqual([
    2,
    'rein: harness "rein" has no tool "shel"; did you mean "shell"?\n',
    1,
  ]);
});

test('a configured time limit of commands is in what the model is told', async () => {
  const w = await workspace({ '.git/': null });
  const { stdout } = await w.run(['context', '--body', '-c', 'shell.timeout_ms=90000']);
  expect(stdout.match(/Seconds until it is stopped[^"]*/)?.[0]).toBe(
    'Seconds until it is stopped, at most 600. Default: 90.',
  );
});

test.each<[args: string[], stderr: string]>([
  [['-p', '--harness', 'kil', 'x'], 'unknown harness "kil"; did you mean "kli"?'],
  [
    ['-p', '--permission-mode', 'yoloo', 'x'],
    '--permission-mode "yoloo" is not one of ask, read-only, accept-edits, yolo; did you mean yolo?',
  ],
  [['-p', '-c', 'modle=x', 'x'], '-c: there is no setting modle; did you mean model?'],
  [['doctor', '--onlin'], 'unknown option --onlin: did you mean --online?'],
  [['config', 'scheme'], '"rein config": "scheme" is not one of show, path, schema; did you mean schema?'],
])('%j is refused with the nearest name', async (args, stderr) => {
  const w = await workspace({ '.git/': null });
  expect(await w.run(args)).toEqual({ code: 2, signal: null, stdout: '', stderr: `rein: ${stderr}\n` });
});
