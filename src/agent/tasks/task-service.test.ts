import { existsSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { memoryLog } from '../../../test/rig/session-rig.ts';
import { createNodeHost } from '../../host/node/index.ts';
import type { Task } from '../../model/index.ts';
import type { SessionLog } from '../../session/index.ts';
import { TaskService } from './task-service.ts';

type Given = { most?: number; log?: SessionLog; directory?: string | null };

function service(given: Given = {}): { tasks: TaskService; log: SessionLog; directory: string } {
  const { most = 8, log = memoryLog() } = given;
  const directory = given.directory ?? realpathSync(mkdtempSync(join(tmpdir(), "rein ta'sks-")));
  if (given.directory === undefined) onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const spillDirectory = given.directory === null ? null : directory;
  const mask = (text: string): string => text.replaceAll('SECRET', '[hidden]');
  const tasks = new TaskService({ host: createNodeHost(), log, spillDirectory, mostCommands: most, mask });
  onTestFinished(() => tasks.close({ keep: false }));
  return { tasks, log, directory };
}

const NONE = new AbortController().signal;
const ENV = { PATH: process.env.PATH ?? '' };

async function start(tasks: TaskService, command: string, more: { timeoutMs?: number } = {}): Promise<Task> {
  const spec = { command, shell: '/bin/sh', description: 'a test', cwd: '/', env: ENV, timeoutMs: null };
  const started = await tasks.startCommand({ ...spec, ...more, notify: 'always' });
  if ('error' in started) throw new RangeError(started.error.message);
  return started.task;
}

async function end(tasks: TaskService, { id }: Task): Promise<Task> {
  await tasks.wait([id], 'all', 10_000, NONE);
  return tasks.get(id) as Task;
}

/** Numbers of processes that bear the task's mark. */
function bearing(id: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false;
    try {
      return readFileSync(`/proc/${name}/environ`, 'latin1').includes(`REIN_TASK=${id}`);
    } catch {
      return false;
    }
  });
}

function outcome({ state, detail }: Task): object {
  const { exitCode, reason, timedOut } = detail;
  return { state, exitCode, reason, ...(timedOut === undefined ? {} : { timedOut }) };
}

test('a command runs beside the conversation, and its notes say what became of it', async () => {
  const { tasks, log, directory } = service();
  const task = await start(tasks, `echo "it's $((1+1))"; echo err >&2; exit 3`);
  expect([task.state, /^bash-[a-z0-9]{8}$/.test(task.id)]).toEqual(['running', true]);
  const ended = await end(tasks, task);
  expect(outcome(ended)).toEqual({ state: 'failed', exitCode: 3, reason: 'exit code 3' });
  expect(log.notes().map((note) => (note.type === 'task' ? note.state : note.type))).toEqual([
    'starting',
    'running',
    'failed',
  ]);
  const output = await tasks.output(task.id, { tail: 1000 });
  expect(output).toEqual({
    text: "it's 2\nerr\n",
    offset: 0,
    total: 11,
    path: join(directory, 'tasks', task.id, 'output'),
  });
  expect(statSync(output?.path ?? '').mode & 0o777).toBe(0o600);
});

test('its output is there while it runs, without escapes and secrets, in whole characters', async () => {
  const { tasks } = service();
  const task = await start(tasks, `printf '\\033[1mSECRET\\033[0m äöü\\n'; sleep 30`);
  for (let waited = 0; waited < 100 && (await tasks.output(task.id, { tail: 99 }))?.total === 0; waited += 1)
    await sleep(20);
  expect((await tasks.output(task.id, { tail: 99 }))?.text).toBe('[hidden] äöü\n');
  expect((await tasks.output(task.id, { tail: 4 }))?.text).toBe('ü\n');
  expect((await tasks.output(task.id, { offset: 15, limit: 3 }))?.text).toBe('äö');
  expect(tasks.running().map(({ id }) => id)).toEqual([task.id]);
});

test('a cancel ends it with all that it started', async () => {
  const { tasks } = service();
  const task = await start(tasks, '(trap "" TERM; sleep 60) & setsid sleep 60 & wait');
  await sleep(100);
  expect(bearing(task.id).length).toBeGreaterThan(2);
  const ended = await tasks.cancel(task.id, 'no longer needed');
  expect(outcome(ended as Task)).toEqual({ state: 'killed', exitCode: null, reason: 'no longer needed' });
  expect(bearing(task.id)).toEqual([]);
  expect(await tasks.cancel(task.id, 'again')).toEqual(ended);
});

test('what a command leaves running ends with it', async () => {
  const { tasks } = service();
  const ended = await end(tasks, await start(tasks, 'sleep 60 & echo started'));
  expect([ended.state, bearing(ended.id)]).toEqual(['completed', []]);
});

test('its time limit ends it', async () => {
  const { tasks } = service();
  const ended = await end(tasks, await start(tasks, 'sleep 60', { timeoutMs: 200 }));
  expect(outcome(ended)).toEqual({ state: 'failed', exitCode: null, reason: 'timed out after 0.2 s', timedOut: true });
});

test('only so many run at once, and none where the session keeps no files', async () => {
  const { tasks } = service({ most: 1 });
  await start(tasks, 'sleep 60');
  await expect(start(tasks, 'true')).rejects.toThrow('1 commands are running in the background');
  await expect(start(service({ directory: null }).tasks, 'true')).rejects.toThrow('keeps no files');
});

test('a command that cannot be started has failed', async () => {
  const { tasks } = service();
  const spec = {
    command: 'true',
    shell: '/bin/sh',
    description: '',
    env: ENV,
    timeoutMs: null,
    notify: 'always',
  } as const;
  const started = await tasks.startCommand({ ...spec, cwd: '/no/such/place' });
  expect('task' in started && [started.task.state, started.task.detail.reason]).toEqual([
    'failed',
    expect.stringContaining('it was not started'),
  ]);
});

test('ends are to be told in their order, until the log says that they were', async () => {
  const { tasks, log } = service();
  const slow = await start(tasks, 'sleep 0.4');
  const fast = await start(tasks, 'true');
  await tasks.wait([slow.id, fast.id], 'all', 10_000, NONE);
  expect(tasks.pending().map(({ id }) => id)).toEqual([fast.id, slow.id]);
  log.append({ type: 'task-told', tasks: [fast.id] });
  expect(tasks.pending().map(({ id }) => id)).toEqual([slow.id]);
});

/** The same session in a program that did not end the first one's tasks. */
function restarted(log: SessionLog, directory: string): TaskService {
  return service({ log, directory }).tasks;
}

const NO_AGENTS = { keep: false, agentResult: async () => null };

test('after a crash what had ended has its end, and what still runs is stopped and lost', async () => {
  const { tasks, log, directory } = service();
  const quick = await start(tasks, 'exit 4');
  const slow = await start(tasks, 'sleep 60');
  // Nobody saw the end of the first one.
  for (let waited = 0; waited < 100 && !existsSync(join(directory, 'tasks', quick.id, 'exit')); waited += 1)
    await sleep(10);
  const notes = log.notes().filter((note) => note.type !== 'task' || !['failed', 'completed'].includes(note.state));
  const crashed = memoryLog();
  for (const note of notes)
    if (note.type === 'task') crashed.note({ type: 'task', task: note.task, state: note.state, detail: note.detail });
  const again = restarted(crashed, directory);
  await again.recover(NO_AGENTS);
  expect([quick, slow].map(({ id }) => outcome(again.get(id) as Task))).toEqual([
    { state: 'failed', exitCode: 4, reason: 'exit code 4' },
    { state: 'lost', exitCode: undefined, reason: 'the program ended before it' },
  ]);
  expect(bearing(slow.id)).toEqual([]);
});

test('where commands may outlive the session they are left alone, and watched again', async () => {
  const { tasks, log, directory } = service();
  const task = await start(tasks, 'sleep 0.5; echo late');
  await tasks.close({ keep: true });
  expect(tasks.get(task.id)?.state).toBe('running');
  const again = restarted(log, directory);
  await again.recover({ ...NO_AGENTS, keep: true });
  const ended = await end(again, task);
  expect([ended.state, (await again.output(task.id, { tail: 99 }))?.text]).toEqual(['completed', 'late\n']);
});

test('an agent is a task too: cancelled by a signal, timed out by an error of that name', async () => {
  const { tasks, log } = service();
  const specs = { description: 'look', agent: { name: 'scout', session: 's1' }, notify: 'always' as const };
  const agent = tasks.beginAgent({ id: tasks.newAgentId(), ...specs, timeoutMs: null });
  agent.running();
  const cancelled = tasks.cancel(agent.id, 'enough');
  expect([agent.signal.aborted, agent.signal.reason]).toEqual([true, 'enough']);
  agent.end('killed', { reason: 'enough' });
  expect((await cancelled)?.state).toBe('killed');
  const late = tasks.beginAgent({ id: tasks.newAgentId(), ...specs, timeoutMs: 20 });
  await sleep(60);
  expect([late.signal.reason.name, late.signal.reason.message]).toEqual(['TimeoutError', 'timed out after 0 s']);
  late.end('failed', {});
  expect(
    log.notes().flatMap((note) => (note.type === 'subagent' ? [[note.agent, note.session, note.state]] : [])),
  ).toEqual([
    ['scout', 's1', 'starting'],
    ['scout', 's1', 'running'],
    ['scout', 's1', 'killed'],
    ['scout', 's1', 'starting'],
    ['scout', 's1', 'failed'],
  ]);
});

test('an agent that had given its result before a crash has completed', async () => {
  const { tasks, log, directory } = service();
  const specs = {
    description: 'look',
    agent: { name: 'scout', session: 's1' },
    notify: 'always' as const,
    timeoutMs: null,
  };
  const agents = [0, 1].map(() => tasks.beginAgent({ id: tasks.newAgentId(), ...specs }));
  const ids = agents.map(({ id }) => id);
  const again = restarted(log, directory);
  await again.recover({ keep: false, agentResult: async ({ id }) => (id === ids[0] ? { summary: 'x' } : null) });
  expect(ids.map((id) => [again.get(id)?.state, again.get(id)?.detail.result])).toEqual([
    ['completed', { summary: 'x' }],
    ['lost', undefined],
  ]);
  for (const agent of agents) agent.end('lost', {});
});
