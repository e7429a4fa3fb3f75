import type { ToolFailure } from '../../model/index.ts';
import type { JobsArgs, JobsValue, ToolFace } from '../../tools/contract/index.ts';
import { makeFace } from './face.ts';
import { allJobsText, jobsText } from './job-text.ts';

/** Bytes of the end of an output, where the model does not say. */
export const TAIL_BYTES: number = 8 * 1024;
const DEFAULT_WAIT_SECONDS = 60;

export type JobsWords = { name: string; description: string };

type Given = {
  action: JobsArgs['action'];
  id?: string;
  ids?: string[];
  seconds?: number;
  all?: boolean;
  tail?: number;
};

export function missing(field: string, why: string): { error: ToolFailure } {
  return { error: { code: 'arguments/invalid', message: `${field} is missing: ${why}`, data: { field } } };
}

/** The result of any look at jobs. */
export function jobsResult({ action, jobs, total, waited }: JobsValue): string {
  if (action === 'list') return jobsText(jobs, total);
  const head =
    waited === 'time'
      ? '[still running at the end of the wait]\n'
      : waited === 'aborted'
        ? '[stopped by the user]\n'
        : '';
  return head + allJobsText(jobs);
}

/** Executor `jobs`, all of it in one tool. */
export function jobFace(words: JobsWords): ToolFace {
  return makeFace<JobsArgs, JobsValue>({
    ...words,
    executor: 'jobs',
    parameters: [
      {
        name: 'action',
        type: 'word',
        words: ['list', 'show', 'wait', 'stop'],
        required: true,
        description: '',
      },
      { name: 'ids', type: 'string-or-strings', description: 'Of the jobs; wait takes several.' },
      { name: 'all', type: 'boolean', description: 'list: ended ones too. wait: until all have ended, not any.' },
      { name: 'seconds', type: 'integer', description: `Longest wait. Default: ${DEFAULT_WAIT_SECONDS}.` },
      {
        name: 'tail',
        type: 'integer',
        minimum: 1,
        description: `Bytes of the end of the output. Default: ${TAIL_BYTES}.`,
      },
    ],
    toArgs(given) {
      const {
        action,
        ids: named,
        seconds = DEFAULT_WAIT_SECONDS,
        all = false,
        tail = TAIL_BYTES,
      } = given as Omit<Given, 'ids'> & { ids?: string | string[] };
      if (action === 'list') return { args: { action, ...(all ? { all } : {}) } };
      const ids = typeof named === 'string' ? [named] : (named ?? []);
      const [id] = ids;
      if (id === undefined) return missing('ids', `${action} is about jobs by their ids`);
      if (action !== 'wait' && ids.length > 1) {
        const message = `ids: ${action} is about one job; only wait takes several`;
        return { error: { code: 'arguments/invalid', message, data: { field: 'ids' } } };
      }
      const window = { tail };
      if (action === 'wait')
        return { args: { action, ids, until: all ? 'all' : 'any', timeoutMs: seconds * 1000, window } };
      return { args: { action, id, window } };
    },
    toText: jobsResult,
  });
}
