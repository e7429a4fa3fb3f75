import { nearest } from '../../base/index.ts';
import { hasEnded, type Task, type ToolFailure } from '../../model/index.ts';
import type { JobShown, JobsArgs, JobsValue, OutputWindow, ToolContext, ToolOutcome } from '../contract/index.ts';

const DEFAULT_LISTED = 20;
const MOST_LISTED = 100;
const LONGEST_WAIT_MS = 600_000;
/** Ids in a message. */
const MOST_NAMED = 10;

/** Lists, shows, waits for or ends what runs beside the conversation. */
export async function runJobs(args: JobsArgs, context: ToolContext): Promise<ToolOutcome<JobsValue>> {
  switch (args.action) {
    case 'list':
      return list(args, context);
    case 'show':
      return shown('show', [args.id], args.window, context);
    case 'wait':
      return wait(args, context);
    case 'stop': {
      const failure = unknown([args.id], context);
      if (failure !== null) return failure;
      await context.tasks.cancel(args.id, args.reason ?? 'stopped by the model');
      return shown('stop', [args.id], args.window, context);
    }
  }
}

function list(
  { all, limit = DEFAULT_LISTED }: Extract<JobsArgs, { action: 'list' }>,
  { tasks }: ToolContext,
): ToolOutcome<JobsValue> {
  const there = tasks.list().filter((task) => all === true || !hasEnded(task));
  const jobs = there.slice(0, Math.min(limit, MOST_LISTED)).map((task) => ({ task, output: null }));
  return { value: { action: 'list', jobs, total: there.length }, observed: [] };
}

async function wait(
  { ids, until, timeoutMs, window }: Extract<JobsArgs, { action: 'wait' }>,
  context: ToolContext,
): Promise<ToolOutcome<JobsValue>> {
  const { tasks, signal } = context;
  const failure = unknown(ids, context);
  if (failure !== null) return failure;
  await tasks.wait(ids, until, Math.min(timeoutMs, LONGEST_WAIT_MS), signal);
  const ended = ids.map((id) => tasks.get(id)).map((task) => task !== null && hasEnded(task));
  const isOver = until === 'any' ? ended.some(Boolean) : ended.every(Boolean);
  const waited = isOver ? 'ended' : signal.aborted ? 'aborted' : 'time';
  const outcome = await shown('wait', ids, window, context);
  return 'value' in outcome ? { ...outcome, value: { ...outcome.value, waited } } : outcome;
}

/** The tasks as they are now. Those that have ended count as told. */
async function shown(
  action: JobsArgs['action'],
  ids: readonly string[],
  window: OutputWindow,
  context: ToolContext,
): Promise<ToolOutcome<JobsValue>> {
  const failure = unknown(ids, context);
  if (failure !== null) return failure;
  const { tasks, state } = context;
  const jobs: JobShown[] = [];
  for (const id of new Set(ids)) {
    const task = tasks.get(id) as Task;
    jobs.push({ task, output: await tasks.output(id, window) });
  }
  const told = jobs.map(({ task }) => task).filter((task) => hasEnded(task) && !state.told.includes(task.id));
  return {
    value: { action, jobs, total: jobs.length },
    observed: [],
    ...(told.length === 0 ? {} : { events: [{ type: 'task-told' as const, tasks: told.map(({ id }) => id) }] }),
  };
}

function unknown(ids: readonly string[], { tasks }: ToolContext): { error: ToolFailure; observed: [] } | null {
  const absent = ids.find((id) => tasks.get(id) === null);
  if (absent === undefined) return null;
  const there = tasks.list().map(({ id }) => id);
  const near = nearest(absent, there);
  const named = there.slice(0, MOST_NAMED).join(', ');
  const hint = near === undefined ? `there are: ${named === '' ? 'none' : named}` : `did you mean ${near}?`;
  const message = `There is no job ${JSON.stringify(absent.slice(0, 100))}; ${hint}`;
  return { error: { code: 'jobs/unknown', message, data: { id: absent.slice(0, 100) } }, observed: [] };
}
