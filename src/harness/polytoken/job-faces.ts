import type { JobsArgs, JobsValue, StartArgs, StartValue, ToolFace } from '../../tools/contract/index.ts';
import type { Parameter, ParsedArguments } from '../faces/arguments.ts';
import { makeFace } from '../faces/face.ts';
import { jobsResult, missing, TAIL_BYTES } from '../faces/job-face.ts';
import { startedText } from '../faces/job-text.ts';
import jobBlock from './descriptions/job-block.md';
import jobCancel from './descriptions/job-cancel.md';
import jobResult from './descriptions/job-result.md';
import jobStatus from './descriptions/job-status.md';
import listJobs from './descriptions/list-jobs.md';
import monitor from './descriptions/shell-monitor.md';
import service from './descriptions/shell-service.md';

const DEFAULT_WAIT_SECONDS = 60;
const READ_BYTES = 32_000;
const HANDLE: Parameter = { name: 'handle', type: 'string', required: true, description: '' };

function startFace(name: string, description: string, isService: boolean): ToolFace {
  return makeFace<StartArgs, StartValue>({
    name,
    description,
    executor: 'start',
    parameters: [
      { name: 'command', type: 'string', required: true, description: 'The command line.' },
      { name: 'description', type: 'string', required: true, description: 'What it is for, in a few words.' },
      ...(isService
        ? []
        : [
            {
              name: 'timeout_seconds',
              type: 'integer' as const,
              minimum: 1,
              description: 'Until it is stopped. Default: none.',
            },
          ]),
    ],
    toArgs(given) {
      const {
        command,
        description: what,
        timeout_seconds: seconds,
      } = given as {
        command: string;
        description: string;
        timeout_seconds?: number;
      };
      if (what.trim() === '') return missing('description', 'a few words on what a background command is for');
      const timeout = seconds === undefined ? {} : { timeoutMs: seconds * 1000 };
      return { args: { command, description: what, ...timeout, ...(isService ? { service: true } : {}) } };
    },
    toText: ({ task }) => startedText(task),
  });
}

function jobsFace(
  name: string,
  description: string,
  parameters: readonly Parameter[],
  toArgs: (given: ParsedArguments) => JobsArgs | ReturnType<typeof missing>,
): ToolFace {
  return makeFace<JobsArgs, JobsValue>({
    name,
    description,
    executor: 'jobs',
    parameters,
    toArgs(given) {
      const made = toArgs(given);
      return 'error' in made ? made : { args: made };
    },
    toText: jobsResult,
  });
}

/** spec/polytoken.md 15.2, in the order of the request. */
export const JOB_FACES: readonly ToolFace[] = [
  startFace('shell_monitor', monitor, false),
  startFace('shell_service', service, true),
  jobsFace(
    'list_jobs',
    listJobs,
    [{ name: 'all', type: 'boolean', description: 'Those that have ended, too.' }],
    ({ all }) => ({ action: 'list', ...(all === true ? { all } : {}) }),
  ),
  jobsFace('job_status', jobStatus, [HANDLE], ({ handle }) => ({
    action: 'show',
    id: handle as string,
    window: { tail: TAIL_BYTES },
  })),
  jobsFace(
    'job_block',
    jobBlock,
    [
      {
        name: 'handle',
        type: 'string-or-strings',
        required: true,
        description: 'One, or several: until all have ended.',
      },
      { name: 'timeout_seconds', type: 'integer', description: `Default: ${DEFAULT_WAIT_SECONDS}.` },
    ],
    ({ handle, timeout_seconds: seconds = DEFAULT_WAIT_SECONDS }) => {
      const ids = typeof handle === 'string' ? [handle] : (handle as string[]);
      if (ids.length === 0) return missing('handle', 'name the jobs to wait for');
      const timeoutMs = (seconds as number) * 1000;
      return { action: 'wait', ids, until: 'all', timeoutMs, window: { tail: TAIL_BYTES } };
    },
  ),
  jobsFace(
    'job_result',
    jobResult,
    [
      HANDLE,
      { name: 'offset', type: 'integer', description: 'The first byte. Default: the last ones are shown.' },
      { name: 'limit', type: 'integer', minimum: 1, description: `Bytes. Default: ${READ_BYTES}.` },
    ],
    ({ handle, offset, limit = READ_BYTES }) => ({
      action: 'show',
      id: handle as string,
      window: offset === undefined ? { tail: limit as number } : { offset: offset as number, limit: limit as number },
    }),
  ),
  jobsFace(
    'job_cancel',
    jobCancel,
    [HANDLE, { name: 'reason', type: 'string', description: '' }],
    ({ handle, reason }) => ({
      action: 'stop',
      id: handle as string,
      window: { tail: TAIL_BYTES },
      ...(typeof reason === 'string' ? { reason } : {}),
    }),
  ),
];
