import { mkdtempSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { memoryLog } from '../../../test/rig/session-rig.ts';
import { createNodeHost } from '../../host/node/index.ts';
import type { Task } from '../../model/index.ts';
import type { CommandSpec } from '../../tools/contract/index.ts';
import { OUTPUT_BYTES } from './spooled-command.ts';
import { TaskService } from './task-service.ts';

type Rig = { tasks: TaskService; directory: string };

function rig(): Rig {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'rein $(x) "q" \'s\' \\ ')));
  const options = { host: createNodeHost(), log: memoryLog(), mostCommands: 50, mask: (text: string) => text };
  const tasks = new TaskService({ ...options, spillDirectory: directory });
  onTestFinished(async () => {
    await tasks.close({ keep: false });
    rmSync(directory, { recursive: true, force: true });
  });
  return { tasks, directory };
}

async function start({ tasks, directory }: Rig, command: string, more: Partial<CommandSpec> = {}): Promise<Task> {
  const env = { PATH: process.env.PATH ?? '' };
  const spec = { command, shell: '/bin/bash', description: 'a test', cwd: directory, env, timeoutMs: null };
  const started = await tasks.startCommand({ ...spec, notify: 'always', ...more });
  if ('error' in started) throw new RangeError(started.error.message);
  return started.task;
}

/** Its end and its whole output. */
async function ran(given: Rig, command: string, more: Partial<CommandSpec> = {}): Promise<[Task, string]> {
  const { id } = await start(given, command, more);
  await given.tasks.wait([id], 'all', 20_000, new AbortController().signal);
  const ended = given.tasks.get(id) as Task;
  return [ended, readFileSync(ended.detail.output ?? '', 'utf8')];
}

test('a command line comes to its shell as it is, whatever is in it and in its paths', async () => {
  const given = rig();
  expect((await ran(given, 'pwd'))[1]).toBe(`${given.directory}\n`);
  const command = `printf '%s\\n' "$0" "\\$4" '"' "it's" \`echo tick\` $'a\\tb' # a comment`;
  expect((await ran(given, command))[1]).toBe(`/bin/bash\n$4\n"\nit's\ntick\na\tb\n`);
  expect((await ran(given, 'cat <<X\n} 2>&1 | {\nX\nfalse ||\ntrue'))[1]).toBe('} 2>&1 | {\n');
  expect((await ran(given, '-x'))[0].detail.exitCode).toBe(127);
});

test('a command cannot read, finds no terminal, and may end its shell as it likes', async () => {
  const given = rig();
  const [, output] = await ran(given, 'read -r line || echo end; (: </dev/tty) 2>/dev/null || echo none');
  expect(output).toBe('end\nnone\n');
  expect((await ran(given, 'exec sh -c "exit 7"'))[0].detail).toMatchObject({ exitCode: 7, reason: 'exit code 7' });
  expect((await ran(given, 'kill -9 $$'))[0].detail.exitCode).toBe(137);
});

test('all that was written before the end is kept, however fast it ended', async () => {
  const given = rig();
  expect((await ran(given, 'head -c 3000000 /dev/zero; echo end'))[1].length).toBe(3_000_004);
  // Who writes the output down is late.
  writeFileSync(join(given.directory, 'cat'), '#!/bin/sh\nsleep 0.15; exec /bin/cat "$@"\n', { mode: 0o755 });
  const env = { PATH: `${given.directory}:${process.env.PATH ?? ''}` };
  expect((await ran(given, 'echo last words', { env }))[1]).toBe('last words\n');
});

test('output has a limit, at which the command ends', async () => {
  const given = rig();
  const { id } = await start(given, 'head -c 200M /dev/zero; exit $?');
  await given.tasks.wait([id], 'all', 30_000, new AbortController().signal);
  const { state, detail } = given.tasks.get(id) as Task;
  expect([state, detail.exitCode, detail.reason]).toEqual([
    'failed',
    141,
    'exit code 141; its output reached the 64 MiB that are kept',
  ]);
  expect(statSync(detail.output ?? '').size).toBe(OUTPUT_BYTES);
});

test('many at once each have their own output and end', async () => {
  const given = rig();
  const numbers = Array.from({ length: 12 }, (_, index) => index);
  const ends = await Promise.all(numbers.map((number) => ran(given, `echo ${number}; exit ${number}`)));
  expect(ends.map(([{ detail }, output]) => [detail.exitCode, output])).toEqual(
    numbers.map((number) => [number, `${number}\n`]),
  );
  expect(new Set(ends.map(([{ id }]) => id)).size).toBe(12);
});

test('a command that somebody else ended has failed', async () => {
  const given = rig();
  const { id, detail } = await start(given, 'sleep 60');
  process.kill(-(detail.process?.pid ?? Number.NaN), 'SIGKILL');
  await given.tasks.wait([id], 'all', 20_000, new AbortController().signal);
  const ended = given.tasks.get(id);
  expect([ended?.state, ended?.detail.exitCode, ended?.detail.reason]).toEqual([
    'failed',
    null,
    'it was ended from outside',
  ]);
});
