import { expect, test } from 'vitest';
import { JOB_FACES } from './job-faces.ts';

/** Which engine tool with which arguments, or the failure's message. */
function called(name: string, given: object): unknown {
  const parsed = JOB_FACES.find((face) => face.name === name)?.toCall('c', JSON.stringify(given));
  if (parsed === undefined) expect.fail(`there is no ${name}`);
  return 'error' in parsed ? parsed.error.message : [parsed.call.executor, parsed.call.args];
}

test('a command is started as one that ends, or as a service without a time limit', () => {
  const given = { command: 'npm test', description: 'tests' };
  expect([
    called('shell_monitor', given),
    called('shell_monitor', { ...given, timeout_seconds: 5 }),
    called('shell_monitor', { ...given, timeout_seconds: 0 }),
    called('shell_service', given),
    called('shell_service', { command: 'x' }),
  ]).toEqual([
    ['start', given],
    ['start', { ...given, timeoutMs: 5000 }],
    'timeout_seconds must be an integer of at least 1, not 0',
    ['start', { ...given, service: true }],
    'description is missing',
  ]);
});

test('jobs are listed, looked at, waited for and ended by their handles', () => {
  expect([
    called('list_jobs', {}),
    called('list_jobs', { all: true }),
    called('job_status', { handle: 'bash-1' }),
    called('job_block', { handle: 'bash-1' }),
    called('job_block', { handle: ['bash-1', 'agent-1'], timeout_seconds: 5 }),
    called('job_cancel', { handle: 'bash-1' }),
    called('job_cancel', { handle: 'bash-1', reason: 'done' }),
  ]).toEqual([
    ['jobs', { action: 'list' }],
    ['jobs', { action: 'list', all: true }],
    ['jobs', { action: 'show', id: 'bash-1', window: { tail: 8192 } }],
    ['jobs', { action: 'wait', ids: ['bash-1'], until: 'all', timeoutMs: 60_000, window: { tail: 8192 } }],
    ['jobs', { action: 'wait', ids: ['bash-1', 'agent-1'], until: 'all', timeoutMs: 5000, window: { tail: 8192 } }],
    ['jobs', { action: 'stop', id: 'bash-1', window: { tail: 8192 } }],
    ['jobs', { action: 'stop', id: 'bash-1', window: { tail: 8192 }, reason: 'done' }],
  ]);
});

test('of a result its end is read, or a part from any byte on', () => {
  expect([
    called('job_result', { handle: 'bash-1' }),
    called('job_result', { handle: 'bash-1', limit: 10 }),
    called('job_result', { handle: 'bash-1', offset: 0 }),
    called('job_result', { handle: 'bash-1', offset: 5, limit: 10 }),
    called('job_result', {}),
    called('job_block', { handle: [] }),
  ]).toEqual([
    ['jobs', { action: 'show', id: 'bash-1', window: { tail: 32_000 } }],
    ['jobs', { action: 'show', id: 'bash-1', window: { tail: 10 } }],
    ['jobs', { action: 'show', id: 'bash-1', window: { offset: 0, limit: 32_000 } }],
    ['jobs', { action: 'show', id: 'bash-1', window: { offset: 5, limit: 10 } }],
    'handle is missing',
    'handle is missing: name the jobs to wait for',
  ]);
});
