import { hasEnded, type ToolFailure } from '../../../model/index.ts';
import type { JobsArgs, JobsValue, ToolFace } from '../../../tools/contract/index.ts';
import listDescription from '../descriptions/task-list.md';
import outputDescription from '../descriptions/task-output.md';
import stopDescription from '../descriptions/task-stop.md';
import type { KimiResult } from '../tool-result.ts';
import type { KimiParameter } from './kimi-arguments.ts';
import { kimiFace } from './kimi-face.ts';
import { outputLines, snapshotLines, taskLines } from './task-lines.ts';

/** Bytes of the end of an output. */
const PREVIEW = { tail: 32_768 };
const STOPPED = 'Stopped by TaskStop';

const ID: KimiParameter = {
  name: 'task_id',
  required: true,
  schema: { type: 'string', description: 'The id of the task.' },
};

function notFound({ code, message, data }: ToolFailure): KimiResult {
  const id = code === 'jobs/unknown' ? data?.id : undefined;
  return { message: typeof id === 'string' ? `Task not found: ${id}` : message, failed: true };
}

/** Executor `jobs` (spec/kimi-cli.md 14.4). */
export const TASK_LIST: ToolFace = kimiFace<JobsArgs, JobsValue>({
  name: 'TaskList',
  description: listDescription,
  executor: 'jobs',
  parameters: [
    {
      name: 'active_only',
      schema: { type: 'boolean', default: true, description: 'Only those that have not ended.' },
    },
    {
      name: 'limit',
      schema: { type: 'integer', default: 20, minimum: 1, maximum: 100, description: 'Most tasks.' },
    },
  ],
  toArgs({ active_only: active, limit }) {
    const all = active === false ? { all: true as const } : {};
    return { args: { action: 'list', ...all, limit: Number(limit) } };
  },
  toResult({ jobs }, _outcome, _turn, args) {
    const header = args?.action === 'list' && args.all === true ? 'background_tasks' : 'active_background_tasks';
    const message = 'Task list retrieved.';
    if (jobs.length === 0) return { message, output: `${header}: 0\n[no tasks]` };
    const blocks = jobs.map(({ task }, index) => [`[${index + 1}]`, ...taskLines(task), ''].join('\n'));
    return { message, output: [`${header}: ${jobs.length}`, '', ...blocks].join('\n') };
  },
});

/** Executor `jobs` (spec/kimi-cli.md 14.5). */
export const TASK_OUTPUT: ToolFace = kimiFace<JobsArgs, JobsValue>({
  name: 'TaskOutput',
  description: outputDescription,
  executor: 'jobs',
  parameters: [
    ID,
    { name: 'block', schema: { type: 'boolean', default: false, description: 'Wait for the end.' } },
    {
      name: 'timeout',
      schema: { type: 'integer', default: 30, minimum: 0, maximum: 3600, description: 'Seconds to wait with block.' },
    },
  ],
  toArgs(given) {
    const { task_id: id, block, timeout } = given as { task_id: string; block: boolean; timeout: number };
    if (!block) return { args: { action: 'show', id, window: PREVIEW } };
    return { args: { action: 'wait', ids: [id], until: 'all', timeoutMs: timeout * 1000, window: PREVIEW } };
  },
  toResult({ jobs: [job], action }) {
    if (job === undefined) return { message: 'Task snapshot retrieved.' };
    const { task, output } = job;
    const status = hasEnded(task) ? 'success' : action === 'wait' ? 'timeout' : 'not_ready';
    const lines = [`retrieval_status: ${status}`, ...snapshotLines(task), '', ...outputLines(task, output)];
    const message = status === 'not_ready' ? 'Task snapshot retrieved.' : 'Task output retrieved.';
    return { message, output: lines.join('\n') };
  },
  toFailure: notFound,
});

/** Executor `jobs` (spec/kimi-cli.md 14.6). */
export const TASK_STOP: ToolFace = kimiFace<JobsArgs, JobsValue>({
  name: 'TaskStop',
  description: stopDescription,
  executor: 'jobs',
  parameters: [
    ID,
    { name: 'reason', schema: { type: 'string', default: STOPPED, description: 'Why, in a few words.' } },
  ],
  toArgs(given) {
    const { task_id: id, reason } = given as { task_id: string; reason: string };
    const why = reason.trim();
    return { args: { action: 'stop', id, reason: why === '' ? STOPPED : why, window: { tail: 1 } } };
  },
  toResult: ({ jobs: [job] }) => ({
    message: 'Task stop requested.',
    output: job === undefined ? '' : taskLines(job.task).join('\n'),
  }),
  toFailure: notFound,
});
