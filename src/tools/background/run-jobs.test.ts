import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { Task, TaskState } from '../../model/index.ts';
import type { CommandSpec, JobsArgs, JobsValue, TaskPort, ToolContext, ToolOutcome } from '../contract/index.ts';
import { testContext, testState } from '../test-context.ts';
import { runJobs } from './run-jobs.ts';
import { startCommand } from './start-command.ts';

function task(id: string, state: TaskState): Task {
  const time = '2026-11-30T21:04:05+02:00';
  const endedAt = state === 'running' ? null : time;
  return { id, kind: 'command', state, description: id, startedAt: time, endedAt, detail: { kind: 'command' } };
}

/** `bash-1` runs, `bash-2` has ended; a cancel ends, a wait leaves all as it is. */
function port(given: Partial<TaskPort> = {}): TaskPort {
  const tasks = new Map([task('bash-1', 'running'), task('bash-2', 'failed')].map((each) => [each.id, each]));
  return {
    startCommand: async () => ({ task: task('bash-3', 'running') }),
    list: () => [...tasks.values()].reverse(),
    get: (id) => tasks.get(id) ?? null,
    wait: async () => undefined,
    cancel: async (id, reason) => {
      const ended = task(id, 'killed');
      tasks.set(id, { ...ended, detail: { ...ended.detail, reason } });
      return tasks.get(id) ?? null;
    },
    output: async (id) => ({ text: `of ${id}`, offset: 0, total: 9, path: `/repo/${id}` }),
    ...given,
  };
}

const window = { tail: 100 };

function run(args: JobsArgs, given: Partial<ToolContext> = {}): Promise<ToolOutcome<JobsValue>> {
  return runJobs(args, testContext(createMemoryHost(), { tasks: port(), ...given }));
}

/** What a test looks at: ids, states, and what the log is to say. */
async function brief(work: Promise<ToolOutcome<JobsValue>>): Promise<unknown> {
  const outcome = await work;
  if ('error' in outcome) return outcome.error;
  const { jobs, waited } = outcome.value;
  const shown = jobs.map((job) => [job.task.id, job.task.state, job.output?.text ?? null]);
  return { shown, ...(waited === undefined ? {} : { waited }), events: outcome.events ?? [] };
}

const told = (...tasks: string[]): object[] => [{ type: 'task-told', tasks }];

test('a list has what runs, and all where that is asked for; it tells of no end', async () => {
  expect(await brief(run({ action: 'list' }))).toEqual({ shown: [['bash-1', 'running', null]], events: [] });
  const all = await run({ action: 'list', all: true, limit: 1 });
  expect('value' in all && [all.value.total, all.value.jobs.map((job) => job.task.id)]).toEqual([2, ['bash-2']]);
});

test('an end that is shown is told, once', async () => {
  const shown = [['bash-2', 'failed', 'of bash-2']];
  expect(await brief(run({ action: 'show', id: 'bash-2', window }))).toEqual({ shown, events: told('bash-2') });
  const state = { ...testState([]), told: ['bash-2'] };
  expect(await brief(run({ action: 'show', id: 'bash-2', window }, { state }))).toEqual({ shown, events: [] });
  expect(await brief(run({ action: 'show', id: 'bash-1', window }))).toMatchObject({ events: [] });
});

test('a stop shows what it ended, and its reason is kept', async () => {
  expect(await brief(run({ action: 'stop', id: 'bash-1', window }))).toEqual({
    shown: [['bash-1', 'killed', 'of bash-1']],
    events: told('bash-1'),
  });
  const outcome = await run({ action: 'stop', id: 'bash-1', reason: 'enough', window });
  expect('value' in outcome && outcome.value.jobs[0]?.task.detail.reason).toBe('enough');
});

test('a wait says how it ended, and never takes longer than ten minutes', async () => {
  const waits: number[] = [];
  const tasks = port({
    wait: async (_ids, _until, ms) => {
      waits.push(ms);
    },
  });
  const ids = ['bash-1', 'bash-2'];
  const args = { action: 'wait', ids, timeoutMs: 1e9, window } as const;
  const shown = [
    ['bash-1', 'running', 'of bash-1'],
    ['bash-2', 'failed', 'of bash-2'],
  ];
  const events = told('bash-2');
  expect(await brief(run({ ...args, until: 'any' }, { tasks }))).toEqual({ shown, waited: 'ended', events });
  expect(await brief(run({ ...args, until: 'all' }, { tasks }))).toEqual({ shown, waited: 'time', events });
  const signal = AbortSignal.abort();
  expect(await brief(run({ ...args, until: 'all' }, { tasks, signal }))).toEqual({ shown, waited: 'aborted', events });
  expect(waits).toEqual([600_000, 600_000, 600_000]);
});

test('an unknown id is a failure that names those there are, or the one that is near', async () => {
  expect(await brief(run({ action: 'show', id: 'zzzzzzzzzzzz', window }))).toEqual({
    code: 'jobs/unknown',
    message: 'There is no job "zzzzzzzzzzzz"; there are: bash-2, bash-1',
    data: { id: 'zzzzzzzzzzzz' },
  });
  expect(await brief(run({ action: 'stop', id: 'bash-x', window }))).toMatchObject({ code: 'jobs/unknown' });
});

test('a start hands over the whole unattended environment, and a service tells only where it fails', async () => {
  const specs: CommandSpec[] = [];
  const started = (state: TaskState): TaskPort =>
    port({
      startCommand: async (spec) => {
        specs.push(spec);
        return { task: task('bash-3', state) };
      },
    });
  const begin = (state: TaskState, more: object): ReturnType<typeof startCommand> => {
    const context = testContext(createMemoryHost(), { tasks: started(state), cwd: '/repo', childEnv: { A: '1' } });
    return startCommand({ command: 'make', description: 'build', ...more }, context);
  };
  expect(await begin('running', {})).toEqual({ value: { task: task('bash-3', 'running') }, observed: [] });
  expect(await begin('failed', { service: true, timeoutMs: 5 })).toMatchObject({ events: told('bash-3') });
  expect(specs.map(({ env, ...spec }) => [spec, env.A, env.GIT_EDITOR])).toEqual(
    [
      { timeoutMs: null, notify: 'always' },
      { timeoutMs: 5, notify: 'on-failure' },
    ].map((more) => [{ command: 'make', shell: '/bin/sh', description: 'build', cwd: '/repo', ...more }, '1', 'false']),
  );
});
