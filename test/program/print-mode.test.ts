import { spawn } from 'node:child_process';
import { closeSync, existsSync, openSync } from 'node:fs';
import { expect, test } from 'vitest';
import { PROGRAM, untilEnd } from '../../conformance/rig/program.ts';
import { workspace } from '../../conformance/rig.ts';

const STALL = [{ text: 'begun and never ended', fault: { kind: 'stall' as const, ms: 25_000 } }];

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const) {
  test(`${signal} in a turn ends it with ${code}, the result object and a log that can be continued`, async () => {
    const w = await workspace({ '.git/': null }, { replies: [...STALL, { text: 'again' }] });
    const child = spawn(process.execPath, [PROGRAM, '-p', '--output', 'json', 'hello'], {
      cwd: w.project,
      env: w.environment(),
      stdio: 'pipe',
    });
    child.stdin.end();
    while (w.requests().length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    child.kill(signal);
    const ended = await untilEnd(child);
    const result = JSON.parse(ended.stdout) as { stopReason: string };
    expect([ended.code, result.stopReason, ended.stderr]).toEqual([code, 'aborted', 'rein: interrupted\n']);
    expect(w.sessionLines().at(-1)).toMatchObject({ type: 'turn-end', stop: 'aborted' });
    expect((await w.print(['--continue', 'go on'])).stdout).toBe('again\n');
  });
}

test('a mistake in the configuration is one line and exit code 2; nothing is written, nothing is sent', async () => {
  const w = await workspace({ '.git/': null });
  for (const args of [
    ['--harness', 'kly'],
    ['--model', ''],
    ['--resume', 'nosuch'],
    ['--cwd', 'nosuch'],
    ['-c', 'nonsense'],
  ]) {
    const { code, stdout, stderr } = await w.run(['-p', ...args, 'hello']);
    expect({ args, code, stdout, lines: stderr.match(/\n/g)?.length }).toEqual({ args, code: 2, stdout: '', lines: 1 });
    expect(stderr).toMatch(/^rein: /);
  }
  expect([w.requests().length, existsSync(w.path('~/.local'))]).toEqual([0, false]);
});

test('without a model it names the three ways on', async () => {
  const w = await workspace({ '.git/': null });
  const { code, stdout, stderr } = await w.run(['-p', 'hello'], { env: { REIN_MODEL: '', REIN_BASE_URL: '' } });
  expect([code, stdout]).toEqual([2, '']);
  for (const way of [/API_KEY/, /--base-url/, /rein demo/]) expect(stderr).toMatch(way);
});

test('a session that cannot be kept fails the run with one line, before a request', async () => {
  const w = await workspace({ '.git/': null, 'a-file': '' });
  const { code, stdout, stderr } = await w.run(['-p', 'hello'], { env: { XDG_STATE_HOME: w.path('a-file') } });
  expect({ code, stdout, lines: stderr.match(/\n/g)?.length, requests: w.requests().length }).toEqual({
    code: 1,
    stdout: '',
    lines: 1,
    requests: 0,
  });
  expect(stderr).toMatch(/^rein: session \w+ cannot be kept: /);
});

test('a full disk under stdout is a failure that is told', async () => {
  const w = await workspace({ '.git/': null });
  const full = openSync('/dev/full', 'w');
  const child = spawn(process.execPath, [PROGRAM, '-p', 'hello'], {
    cwd: w.project,
    env: w.environment(),
    stdio: ['ignore', full, 'pipe'],
  });
  closeSync(full);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const code = await new Promise((resolve) => child.on('close', resolve));
  expect(code).toBe(1);
  expect(stderr).toMatch(/^rein: cannot write to stdout: ENOSPC/m);
});

test('what a module of the process prints to stdout goes to stderr', async () => {
  const w = await workspace({
    '.git/': null,
    '~/chatty.cjs': `setTimeout(() => { console.log('from a module'); process.stdout.write('and directly\\n'); }, 60);`,
  });
  const replies = { env: { NODE_OPTIONS: `--require ${w.path('~/chatty.cjs')}` } };
  const { stdout } = await w.print(['--output', 'json', 'hello'], replies);
  expect(JSON.parse(stdout)).toMatchObject({ type: 'result', result: 'ok' });
});

test('commands on stdin run in order, each is answered, the result comes last', async () => {
  const w = await workspace({ '.git/': null }, { replies: [{ text: 'one' }, { text: 'two' }] });
  const lines = [
    '{"type":"prompt","text":"first","tag":"a"}',
    'not a command',
    '{"type":"prompt","text":"second","tag":"b"}',
    '{"type":"end","tag":"c"}',
    '{"type":"prompt","text":"too late","tag":"d"}',
  ];
  const { code, stdout, stderr } = await w.run(['-p', '--input', 'stream-json'], { input: `${lines.join('\n')}\n` });
  const events = stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as { type: string; tag?: string; code?: string; result?: string });
  const answers = events.filter(({ type }) => ['done', 'error', 'result'].includes(type));
  expect([code, stderr]).toEqual([0, '']);
  expect(answers.map(({ type, tag, code: why, result }) => [type, tag ?? why ?? result])).toEqual([
    ['error', 'command/not-json'],
    ['done', 'a'],
    ['done', 'b'],
    ['done', 'c'],
    ['result', 'two'],
  ]);
  expect(events.filter(({ type }) => type === 'turn-end')).toHaveLength(2);
  expect(w.requests()).toHaveLength(2);
});

test('a session is read by its reader as it grows: each line comes when it was appended', async () => {
  const w = await workspace({ '.git/': null }, { replies: STALL });
  const child = spawn(process.execPath, [PROGRAM, '-p', '--output', 'stream-json', 'hello'], {
    cwd: w.project,
    env: w.environment(),
    stdio: 'pipe',
  });
  child.stdin.end();
  let seen = '';
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      seen += chunk.toString();
      if (seen.includes('"type":"request"')) resolve();
    });
  });
  child.kill('SIGINT');
  const { stdout } = await untilEnd(child);
  expect(JSON.parse((seen + stdout).trimEnd().split('\n').at(-1) ?? '')).toMatchObject({ type: 'result' });
});
