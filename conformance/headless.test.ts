import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { PROGRAM, untilEnd } from './rig/program.ts';
import { messagesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const BIG = '0123456789abcdef'.repeat(20_000);

function lastUserText(request: Parameters<typeof messagesOf>[0]): string | null | undefined {
  return messagesOf(request).findLast(({ role }) => role === 'user')?.content;
}

verifies('C81', 'characters that arrive byte by byte are whole in the answer and in a tool’s arguments', async () => {
  const text = '你好🙂 é';
  const w = await workspace(
    { '.git/': null },
    {
      replies: [
        {
          calls: [{ name: 'write', arguments: JSON.stringify({ path: 'out.txt', content: text }) }],
          fault: { kind: 'split-bytes' },
        },
        { text, fault: { kind: 'split-bytes' } },
      ],
    },
  );
  const { stdout } = await w.print(['--permission-mode', 'yolo', 'hello']);
  expect({ stdout, file: readFileSync(w.path('out.txt'), 'utf8') }).toEqual({ stdout: `${text}\n`, file: text });
});

for (const [name, replies, args, code] of [
  ['success', [{ text: BIG }], [], 0],
  [
    'failure',
    [{ text: BIG, calls: [{ name: 'read', arguments: '{"path":"x"}' }], repeat: true }],
    ['--max-turns', '1'],
    1,
  ],
] as const) {
  verifies('C125', `320 KB of JSON reach a slow reader whole, on ${name}`, async () => {
    const w = await workspace({ '.git/': null }, { replies });
    const child = spawn(process.execPath, [PROGRAM, '-p', '--output', 'json', ...args, 'hello'], {
      cwd: w.project,
      env: w.environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const exited = new Promise<number | null>((resolve) => child.on('exit', resolve));
    await sleep(1000);
    const chunks: Buffer[] = [];
    for await (const chunk of child.stdout) chunks.push(chunk as Buffer);
    const result = JSON.parse(Buffer.concat(chunks).toString()) as { result: string };
    expect({ code: await exited, whole: result.result === BIG }).toEqual({ code, whole: true });
  });
}

verifies('C125', 'a reader that leaves early ends the run without a word', async () => {
  const w = await workspace({ '.git/': null }, { replies: [{ text: BIG }] });
  const child = spawn(process.execPath, [PROGRAM, '-p', '--output', 'stream-json', 'hello'], {
    cwd: w.project,
    env: w.environment(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end();
  child.stdout.once('data', () => child.stdout.destroy());
  const { stderr } = await untilEnd(child);
  expect(stderr).toBe('');
});

verifies('C126a', 'warnings of the runtime go to stderr and every line of stdout is JSON', async () => {
  const w = await workspace({
    '.git/': null,
    '~/warn.cjs': `process.emitWarning('old thing', 'DeprecationWarning'); new Buffer(1); setTimeout(() => process.emitWarning('late'), 20);`,
  });
  for (const output of ['json', 'stream-json']) {
    const { stdout, stderr } = await w.print(['--output', output, 'hello'], {
      env: { NODE_OPTIONS: `--require ${w.path('~/warn.cjs')}` },
    });
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.at(-1)?.type).toBe('result');
    expect(stderr).toMatch(/old thing/);
  }
});

verifies('C126a', 'a failing run gives a JSON object with the error, and a code that is not 0', async () => {
  const body = '{"error":{"message":"no such key"}}';
  const fault = { kind: 'status', status: 401, headers: {}, body, times: 9 } as const;
  const w = await workspace({ '.git/': null }, { replies: [{ text: 'never', fault }] });
  for (const output of ['json', 'stream-json']) {
    const { code, stdout, stderr } = await w.run(['-p', '--output', output, 'hello']);
    const lines = stdout.trimEnd().split('\n');
    const result = JSON.parse(lines.at(-1) ?? '') as { type: string; stopReason: string; error: { message: string } };
    expect({ code, type: result.type, stop: result.stopReason }).toEqual({ code: 1, type: 'result', stop: 'error' });
    expect(result.error.message).toMatch(/401.*no such key/);
    expect(stderr).not.toMatch(/^ {4}at /m);
  }
});

verifies('C127', 'with a prompt given, an open and silent stdin is not waited for', async () => {
  const w = await workspace({ '.git/': null });
  const child = spawn(process.execPath, [PROGRAM, '-p', 'hello'], {
    cwd: w.project,
    env: w.environment(),
    stdio: 'pipe',
  });
  const { code, stdout, stderr } = await untilEnd(child);
  expect({ code, stdout }).toEqual({ code: 0, stdout: 'ok\n' });
  expect(stderr.split('\n').filter((line) => line.includes('stdin'))).toHaveLength(1);
  expect(lastUserText(w.requests()[0])).toBe('hello');
});

verifies('C127', 'with /dev/null or a closed stdin the run starts and ends', async () => {
  const w = await workspace({ '.git/': null });
  for (const redirection of ['</dev/null', '<&-']) {
    const command = `exec "$0" "$1" -p hello ${redirection}`;
    const child = spawn('/bin/sh', ['-c', command, process.execPath, PROGRAM], {
      cwd: w.project,
      env: w.environment(),
      stdio: 'pipe',
    });
    const { code, stdout } = await untilEnd(child);
    expect({ redirection, code, stdout }).toEqual({ redirection, code: 0, stdout: 'ok\n' });
  }
});

verifies('C127', 'piped text is the prompt, or is added to it when it ends', async () => {
  const w = await workspace({ '.git/': null });
  await w.print([], { input: 'from the pipe\n' });
  await w.print(['argument'], { input: 'from the pipe\n' });
  expect(w.requests().map(lastUserText)).toEqual(['from the pipe', 'argument\n\nfrom the pipe']);
});

verifies('C127', 'text that begins in time and ends late is read to its end', async () => {
  const w = await workspace({ '.git/': null });
  const child = spawn(process.execPath, [PROGRAM, '-p', 'argument'], {
    cwd: w.project,
    env: w.environment(),
    stdio: 'pipe',
  });
  child.stdin.write('begins ');
  await sleep(600);
  child.stdin.end('and ends');
  await untilEnd(child);
  expect(w.requests().map(lastUserText)).toEqual(['argument\n\nbegins and ends']);
});

verifies('C127', 'without any prompt it says so with exit code 2', async () => {
  const w = await workspace({ '.git/': null });
  const { code, stdout, stderr } = await w.run(['-p']);
  expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 2, stdout: '', lines: 1 });
});
