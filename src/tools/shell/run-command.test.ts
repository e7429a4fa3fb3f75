import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { createMemoryHost, type ScriptedProcess } from '../../host/memory/index.ts';
import { createNodeHost } from '../../host/node/index.ts';
import type { ShellArgs, ShellValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { runCommand } from './run-command.ts';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-shell-')));
afterAll(() => rmSync(root, { recursive: true }));

type Given = Partial<Omit<ToolContext, 'limits'>> & { limits?: Partial<ToolContext['limits']> };

const node = createNodeHost();
const childEnv = { PATH: process.env.PATH ?? '', HOME: root };

function sh(args: ShellArgs | string, given: Given = {}): Promise<ToolOutcome<ShellValue>> {
  const call = typeof args === 'string' ? { command: args } : args;
  return runCommand(call, testContext(node, { cwd: root, childEnv, ...given }));
}

/** The value with its times left out; what a test does not expect to be otherwise is as it is for a plain `exit 0`. */
async function ran(work: Promise<ToolOutcome<ShellValue>>): Promise<unknown> {
  const outcome = await work;
  if ('error' in outcome) return outcome.error;
  const { durationMs: _, ...value } = outcome.value;
  return value;
}

const PLAIN = {
  exitCode: 0,
  signal: null,
  timedOut: false,
  aborted: false,
  head: '',
  tail: '',
  droppedBytes: 0,
  leftRunning: false,
  left: [],
};

async function output(command: string, given: Given = {}): Promise<string> {
  const outcome = await sh(command, given);
  return 'value' in outcome ? outcome.value.head + outcome.value.tail : outcome.error.message;
}

describe('a command', () => {
  test('gives its output and its exit code', async () => {
    expect(await ran(sh('echo out; echo err >&2; exit 3'))).toEqual({ ...PLAIN, exitCode: 3, head: 'out\nerr\n' });
    expect(await ran(sh('kill -9 $$'))).toEqual({ ...PLAIN, exitCode: null, signal: 'SIGKILL' });
  });

  test('runs in the working directory, with bash, and may begin with a dash', async () => {
    expect(await output('pwd; [[ a == a ]] && echo bash')).toBe(`${root}\nbash\n`);
    expect(await ran(sh('-x'))).toMatchObject({ exitCode: 127 });
  });

  test('that cannot be started is a failure that says why', async () => {
    expect(await ran(sh('echo', { cwd: join(root, 'none') }))).toEqual({
      code: 'shell/not-started',
      message: 'The command was not started: cannot start /bin/bash: no such program, or no such working directory.',
      data: { file: '/bin/bash', cwd: join(root, 'none'), systemCode: 'ENOENT' },
    });
  });

  test('has characters that its chunks cut in two put together', async () => {
    expect(await output("printf '\\xe2\\x82'; sleep 0.05; printf '\\xac \\xff\\n'")).toBe('€ \ufffd\n');
  });

  test('comes in the order in which it was written, errors and the shell’s own messages among it', async () => {
    const command = 'echo one; echo two >&2; no-such-program; echo three; (echo four >&2); echo five';
    expect(await output(command)).toBe(
      'one\ntwo\n/bin/bash: line 1: no-such-program: command not found\nthree\nfour\nfive\n',
    );
  });

  test('shows final text only, also while it runs', async () => {
    const shown: string[] = [];
    const command = "printf '\\033[31mred\\033[0m \\a\\0'; for i in 1 2 3; do printf '\\r%s0%% ' $i; done; echo done";
    expect(await output(command, { progress: (chunk) => shown.push(chunk) })).toBe('30% done\n');
    expect(shown.join('')).toBe('30% done\n');
  });

  test('has secrets hidden in what is shown and in what is kept', async () => {
    const shown: string[] = [];
    const outcome = await sh('for i in 1 2 3; do echo "token-$i is hunter22"; done', {
      progress: (chunk) => shown.push(chunk),
      mask: (text) => text.replaceAll('hunter22', '[masked]'),
      limits: { headBytes: 10, tailBytes: 10 },
      spillDirectory: join(root, 'masked'),
    });
    const expected = 'token-1 is [masked]\ntoken-2 is [masked]\ntoken-3 is [masked]\n';
    const spilled = await node.files.readRegular(outcome.spill ?? '', { maxBytes: 1000 });
    expect([shown.join(''), spilled.ok && Buffer.from(spilled.bytes).toString()]).toEqual([expected, expected]);
  });
});

test('a harness may keep more of the beginning, and nothing of the end', async () => {
  const limits = { headBytes: 10, tailBytes: 10 };
  const { head, tail, droppedBytes } = (await ran(
    sh({ command: 'printf 0123456789abcdefghijKLMNOPQRST', headBytes: 25 }, { limits }),
  )) as ShellValue;
  expect([head, tail, droppedBytes]).toEqual(['0123456789abcdefghijKLMNO', '', 5]);
});

describe('what would ask a person', () => {
  test('fails at once: no terminal, no input, no editor, no pager', async () => {
    const started = Date.now();
    expect(await output('read x </dev/tty || echo no terminal; read x || echo no input; tty')).toBe(
      '/bin/bash: line 1: /dev/tty: No such device or address\nno terminal\nno input\nnot a tty\n',
    );
    expect(await output('echo x > f; less f; $EDITOR f || echo no editor; man true >/dev/null 2>&1; true')).toBe(
      'x\nno editor\n',
    );
    expect(Date.now() - started).toBeLessThan(3000);
  });

  test('leaves the history of a repository as it was', async () => {
    const repository = 'git init -q r && cd r && git config user.email a@b && git config user.name a';
    const commits = 'for i in 1 2; do git commit -q --allow-empty -m c$i; done';
    expect(await output(`${repository} && ${commits} && git log --oneline | wc -l`)).toBe('2\n');
    const outcome = await sh(
      'cd r && git commit --allow-empty; git rebase -i --root; git status -s; git log --format=%s',
    );
    const text = 'value' in outcome ? outcome.value.head : '';
    expect(text.split('\n').slice(-3)).toEqual(['c2', 'c1', '']);
    expect(text).toMatch(/editor/);
  });
});

describe('what a command leaves behind', () => {
  test('does not keep it from returning, and is told', async () => {
    const started = Date.now();
    const outcome = await sh('sleep 30 & echo $!');
    const pid = 'value' in outcome ? outcome.value.head : '';
    const left = [{ pid: Number(pid), name: 'sleep' }];
    expect(await ran(Promise.resolve(outcome))).toEqual({ ...PLAIN, head: pid, leftRunning: true, left });
    expect(Date.now() - started).toBeLessThan(1500);
    expect(await output(`kill -9 ${pid}`)).toBe('');
  });

  test('is told also where it keeps writing, or left the session with the pipe in hand', async () => {
    const started = Date.now();
    const writing = await sh('(while sleep 0.02; do echo tick; done) & echo $!');
    const pid = 'value' in writing ? writing.value.head.split('\n')[0] : '';
    expect([pid !== '', 'value' in writing && writing.value.leftRunning]).toEqual([true, true]);
    const daemon = await sh('setsid sleep 30 & echo $!');
    const daemonPid = 'value' in daemon ? daemon.value.head : '';
    const left = [{ pid: Number(daemonPid), name: 'sleep' }];
    expect(await ran(Promise.resolve(daemon))).toEqual({ ...PLAIN, head: daemonPid, leftRunning: true, left });
    expect(Date.now() - started).toBeLessThan(3000);
    // It goes on: nothing it writes breaks.
    expect(await output(`sleep 0.1; kill -0 ${pid} && echo alive; kill -9 ${pid} ${daemonPid}`)).toBe('alive\n');
  });
});

describe('a daemon with a session and parents of its own', () => {
  const DAEMON = 'setsid bash -c "setsid sleep 41 </dev/null >/dev/null 2>&1 & echo \\$! > pid" ; cat pid';

  test('is named although nothing but its environment tells whose it is', async () => {
    const outcome = await sh(DAEMON);
    const pid = 'value' in outcome ? outcome.value.head : '';
    const left = [{ pid: Number(pid), name: 'sleep' }];
    expect(await ran(Promise.resolve(outcome))).toEqual({ ...PLAIN, head: pid, leftRunning: true, left });
    expect(await ran(sh('true'))).toEqual(PLAIN);
    expect(await output(`kill -9 ${pid}`)).toBe('');
  });

  test('is found by an outer call too', async () => {
    const outer = await sh(DAEMON, { childEnv: { ...childEnv, REIN_CALL: 'outer' } });
    const pid = 'value' in outer ? outer.value.head.trim() : '';
    const mark = `tr '\\0' '\\n' < /proc/${pid}/environ | grep -c '^REIN_CALL=outer,[0-9a-f]\\{16\\}$'; kill -9 ${pid}`;
    expect(await output(mark)).toBe('1\n');
  });

  test('ends with the command at its time limit', async () => {
    const outcome = await sh({ command: `${DAEMON}; sleep 30`, timeoutMs: 400 });
    expect(await ran(Promise.resolve(outcome))).toMatchObject({ timedOut: true, leftRunning: false, left: [] });
    const pid = 'value' in outcome ? outcome.value.head.trim() : '';
    // Where nobody waits for it, it stays as a zombie.
    expect(await output(`ps -o stat= -p ${pid} | grep -v '^Z' || echo gone`)).toBe('gone\n');
  });
});

describe('a limit', () => {
  test('of time ends the whole group', async () => {
    // Another run of these tests may be going on beside this one.
    const nap = `31.${process.pid}`;
    const command = `echo begin; (sleep ${nap} & timeout 31 sleep ${nap}); echo end`;
    const outcome = await sh({ command, timeoutMs: 200 });
    expect(await ran(Promise.resolve(outcome))).toEqual({
      ...PLAIN,
      exitCode: null,
      signal: 'SIGTERM',
      timedOut: true,
      head: 'begin\n',
    });
    expect('value' in outcome && outcome.value.durationMs).toBeLessThan(1500);
    expect(await output(`ps -eo stat,args | grep -v '^Z' | grep -c '[s]leep ${nap}'`)).toBe('0\n');
  });

  test('of time cannot be asked beyond the most that is allowed', async () => {
    const limits = { commandTimeoutMs: 10_000, commandTimeoutMaxMs: 100 };
    expect(await ran(sh({ command: 'sleep 20', timeoutMs: 60_000 }, { limits }))).toMatchObject({ timedOut: true });
    expect(await ran(sh('sleep 20', { limits: { commandTimeoutMs: 100 } }))).toMatchObject({ timedOut: true });
  });

  test('of memory keeps both ends of an output, counts the rest, and has all of it in a file of its own', async () => {
    const spillDirectory = join(root, 'spill');
    const outcome = await sh('seq 1 20000', {
      spillDirectory,
      limits: { headBytes: 100, tailBytes: 200, spillBytes: 1_000_000 },
    });
    const whole = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('');
    expect(await ran(Promise.resolve(outcome))).toEqual({
      ...PLAIN,
      head: whole.slice(0, 100),
      tail: whole.slice(-200),
      droppedBytes: whole.length - 300,
    });
    const path = outcome.spill ?? '';
    const kept = await node.files.readRegular(path, { maxBytes: 1_000_000 });
    expect(path.startsWith(`${spillDirectory}/shell-`)).toBe(true);
    expect(kept.ok && [Buffer.from(kept.bytes).toString() === whole, kept.facts.mode]).toEqual([true, 0o600]);
    expect((await node.files.stat(spillDirectory))?.mode).toBe(0o700);
  });

  test('of the file is kept to, and the file says so', async () => {
    const outcome = await sh('seq 1 2000', {
      spillDirectory: join(root, 'spill'),
      limits: { headBytes: 10, tailBytes: 10, spillBytes: 50 },
    });
    const kept = await node.files.readRegular(outcome.spill ?? '', { maxBytes: 1000 });
    expect(kept.ok && Buffer.from(kept.bytes).toString()).toMatch(
      /^1\n[^[]{48}\n\[The output went on; no more of it was kept.\]\n$/,
    );
  });

  test('holds for an endless flood, which does not hold up anything else', async () => {
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 10);
    let shown = 0;
    const progress = (chunk: string): void => {
      shown += chunk.length;
    };
    const outcome = await sh({ command: 'yes', timeoutMs: 300 }, { progress });
    clearInterval(ticking);
    const value = 'value' in outcome ? outcome.value : null;
    expect([value?.timedOut, value?.head.length, value?.tail.length]).toEqual([true, 12 * 1024, 20 * 1024]);
    expect((value?.droppedBytes ?? 0) > 1_000_000 && outcome.spill === undefined).toBe(true);
    expect(ticks).toBeGreaterThan(5);
    expect(shown).toBeLessThan(400_000);
  });
});

describe('an abort', () => {
  test('ends the command and keeps what it wrote', async () => {
    const abort = new AbortController();
    const work = sh('echo begin; sleep 20', {
      signal: abort.signal,
      progress: () => abort.abort(),
    });
    expect(await ran(work)).toEqual({
      ...PLAIN,
      exitCode: null,
      signal: 'SIGTERM',
      aborted: true,
      head: 'begin\n',
    });
  });

  test('before the start starts nothing', async () => {
    expect(await ran(sh('touch started', { signal: AbortSignal.abort() }))).toEqual({
      ...PLAIN,
      exitCode: null,
      aborted: true,
    });
    expect(await node.files.stat(join(root, 'started'))).toBe(null);
  });
});

describe('a process that does not go', () => {
  async function kill(script: ScriptedProcess): Promise<{ value: unknown; signals: string[] }> {
    const host = createMemoryHost({ sleep: 'manual', processes: () => script, files: { '/bin/bash': '' } });
    const work = ran(runCommand({ command: 'x', timeoutMs: 1000 }, testContext(host)));
    let value: unknown;
    void work.then((result) => {
      value = result;
    });
    // Time passes whenever everything else has come to rest.
    for (let rounds = 0; value === undefined && rounds < 2000; rounds += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      host.clock.advance(25);
    }
    return { value, signals: [...new Set(host.process.signals.map(({ signal }) => signal))] };
  }

  test('is asked first and then forced', async () => {
    expect(await kill({ exit: 'never', ignoresTerm: true })).toEqual({
      value: { ...PLAIN, exitCode: null, signal: 'SIGKILL', timedOut: true },
      signals: ['SIGTERM', 'SIGKILL'],
    });
    expect((await kill({ exit: 'never' })).signals).toEqual(['SIGTERM']);
  });
});
