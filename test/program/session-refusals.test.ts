import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { type Ended, PROGRAM, untilEnd } from '../../conformance/rig/program.ts';
import { messagesOf, SAY_OK, type Workspace, workspace } from '../../conformance/rig.ts';

/** One prompt under a limit on the size of files that it may write, which is a full disk for it. In 512-byte blocks. */
function printWithin(w: Workspace, blocks: number, args: readonly string[]): Promise<Ended> {
  const words = [process.execPath, PROGRAM, '-p', ...args].map((word) => `'${word}'`).join(' ');
  // The signal is ignored, so that a write over the limit fails instead.
  const script = `trap '' XFSZ; ulimit -f ${blocks}; exec ${words}`;
  const child = spawn('/bin/sh', ['-c', script], { cwd: w.project, env: w.environment(), stdio: 'pipe' });
  child.stdin.end();
  return untilEnd(child);
}

test('of eight processes that take up one session one works, and seven are refused with its owner and a way on', async () => {
  const w = await workspace({ '.git/': null });
  await w.print(['seed']);
  const id = String(w.sessionLines()[0]?.id);
  const runs = Array.from({ length: 8 }, () => w.stream(['--resume', id]));
  const ended = new Set<(typeof runs)[number]>();
  await new Promise<void>((resolve) => {
    for (const run of runs) {
      void run.ended.then(() => {
        ended.add(run);
        if (ended.size === 7) resolve();
      });
    }
  });
  const worker = runs.find((run) => !ended.has(run));
  for (const run of ended) {
    const { code, stderr } = await run.ended;
    expect({ code, lines: stderr.match(/\n/g)?.length }).toEqual({ code: 1, lines: 1 });
    expect(stderr).toMatch(new RegExp(`^rein: session ${id} is open in process ${worker?.pid}: .*--fork ${id}\n$`));
    expect(run.lines.map(({ type }) => type)).toEqual(['result']);
  }
  await worker?.prompt('worked');
  await worker?.end();
  const users = messagesOf(w.requests().at(-1)).filter(({ role }) => role === 'user');
  expect(users.map(({ content }) => content)).toEqual(['seed', 'worked']);
  const [file = ''] = w.sessionFiles();
  expect(readdirSync(dirname(file))).toEqual([`${id}.jsonl`]);
});

test('a disk that is full in the middle of a run ends it with one line, and what was logged before is whole', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'R'.repeat(3000) });
  for (const blocks of [1, 8, 16, 24]) {
    const { code, stdout, stderr } = await printWithin(w, blocks, ['hello']);
    expect({ blocks, code, stdout: stdout.trim() }).toEqual({ blocks, code: 1, stdout: '' });
    expect(stderr).toMatch(/^rein: .*(log|kept).*\n$/);
  }
  for (const file of w.sessionFiles()) {
    for (const line of readFileSync(file, 'utf8').split('\n').slice(0, -1))
      expect(JSON.parse(line)).toBeTypeOf('object');
  }
  await w.print(['--continue', 'again']);
  expect(messagesOf(w.requests().at(-1)).at(-1)?.content).toBe('again');
});

test('where no log can be kept the run says so with a way on, asks no model, and goes on without one only if told to', async () => {
  const w = await workspace({ '.git/': null }, { replies: SAY_OK });
  mkdirSync(w.path('~/.local/state/rein'), { recursive: true });
  writeFileSync(w.path('~/.local/state/rein/sessions'), 'a file where the directory should be');
  const refused = await w.run(['-p', 'hello']);
  expect({ code: refused.code, stdout: refused.stdout.trim(), lines: refused.stderr.match(/\n/g)?.length }).toEqual({
    code: 1,
    stdout: '',
    lines: 1,
  });
  expect(refused.stderr).toMatch(/^rein: session [0-9a-z]{20} cannot be kept: .*\/sessions.*--no-session/);
  expect(w.requests()).toEqual([]);
  const told = await w.print(['--no-session', 'hello']);
  expect([told.stdout, told.stderr]).toEqual(['ok\n', '']);
  expect(readFileSync(w.path('~/.local/state/rein/sessions'), 'utf8')).toBe('a file where the directory should be');
});

test.skipIf(process.getuid?.() === 0)('a state directory that may not be written is told likewise', async () => {
  const w = await workspace({ '.git/': null }, { replies: SAY_OK });
  mkdirSync(w.path('~/.local/state'), { recursive: true });
  chmodSync(w.path('~/.local/state'), 0o500);
  const refused = await w.run(['-p', 'hello']);
  expect([refused.code, refused.stdout.trim()]).toEqual([1, '']);
  expect(refused.stderr).toMatch(/^rein: session [0-9a-z]{20} cannot be kept: .*permission denied.*--no-session/);
  expect((await w.print(['--no-session', 'hello'])).stdout).toBe('ok\n');
  expect(existsSync(w.path('~/.local/state/rein'))).toBe(false);
});
