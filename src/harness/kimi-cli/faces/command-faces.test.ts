import { expect, test } from 'vitest';
import type { Task, TaskDetail } from '../../../model/index.ts';
import type { ShellValue, ToolFace, ToolOutcome } from '../../../tools/contract/index.ts';
import { turn } from '../../test-scenario.ts';
import { AGENT } from './agent-face.ts';
import { SHELL } from './shell-face.ts';
import { TASK_OUTPUT } from './task-faces.ts';

/** The arguments that an executor gets, with its name; or why not. */
function called(face: ToolFace, given: Readonly<Record<string, unknown>>): unknown {
  const made = face.toCall('c', JSON.stringify(given));
  return 'error' in made ? made.error.message : [made.call.executor, made.call.args];
}

/** What the model reads of an outcome. */
function told(face: ToolFace, given: Readonly<Record<string, unknown>>, outcome: ToolOutcome<unknown>): string[] {
  const made = face.toCall('c', JSON.stringify(given));
  const call = 'error' in made ? undefined : made.call;
  return face.toParts(outcome, turn(), call).map((part) => (part.type === 'text' ? part.text : part.type));
}

const ENDED: ShellValue = {
  ...{ exitCode: 0, signal: null, timedOut: false, aborted: false, durationMs: 5, head: '', tail: '' },
  ...{ droppedBytes: 0, leftRunning: false, left: [] },
};

function ran(fields: Partial<ShellValue>, given: Readonly<Record<string, unknown>> = {}): string[] {
  return told(SHELL, { command: 'x', ...given }, { value: { ...ENDED, ...fields }, observed: [] });
}

test('Shell takes five minutes in the foreground, a day in the background, and needs a description there', () => {
  const prefix = 'Error validating JSON arguments:';
  expect([
    called(SHELL, { command: 'make' }),
    called(SHELL, { command: 'make', timeout: 300 }),
    called(SHELL, { command: 'make', timeout: 301 }),
    called(SHELL, { command: 'make', timeout: 86_400, run_in_background: true, description: 'build' }),
    called(SHELL, { command: 'make', timeout: 86_401, run_in_background: true, description: 'build' }),
    called(SHELL, { command: 'make', run_in_background: true, description: ' ' }),
    called(SHELL, { command: ' ' }),
    called(SHELL, { command: 'make', timeout: 0 }),
    called(SHELL, {}),
  ]).toEqual([
    ['shell', { command: 'make', timeoutMs: 60_000, headBytes: 200_000 }],
    ['shell', { command: 'make', timeoutMs: 300_000, headBytes: 200_000 }],
    `${prefix} timeout is at most 300 seconds in the foreground; up to 86400 with run_in_background=true`,
    ['start', { command: 'make', timeoutMs: 86_400_000, description: 'build' }],
    `${prefix} timeout must be at most 86400`,
    `${prefix} description must not be empty with run_in_background=true`,
    'Command cannot be empty.',
    `${prefix} timeout must be at least 1`,
    `${prefix} command is missing`,
  ]);
});

test('how a command ended, with what it wrote', () => {
  expect([
    ran({}),
    ran({ head: 'out\n' }),
    ran({ exitCode: 2, head: 'out\n', tail: 'err\n' }),
    ran({ exitCode: null, timedOut: true, head: 'so far' }, { timeout: 7 }),
    ran({ exitCode: null, timedOut: true }),
    ran({ exitCode: null, signal: 'SIGSEGV' }),
    ran({ exitCode: null, aborted: true }),
    ran({ leftRunning: true, left: [{ pid: 7, name: 'node' }] }),
  ]).toEqual([
    ['<system>Command executed successfully.</system>'],
    ['<system>Command executed successfully.</system>', 'out\n'],
    ['<system>ERROR: Command failed with exit code: 2.</system>', 'out\nerr\n'],
    ['<system>ERROR: Command killed by timeout (7s)</system>', 'so far'],
    ['<system>ERROR: Command killed by timeout (60s)</system>'],
    ['<system>ERROR: Command was ended by SIGSEGV.</system>'],
    ['<system>ERROR: Command was stopped by the user.</system>'],
    ['<system>Command executed successfully. [still running: node (7)]</system>'],
  ]);
});

test('output has bounds for a line and for all, and what was cut is said', () => {
  const note = '<system>Command executed successfully. Output is truncated to fit in the message.</system>';
  const [message, line = ''] = ran({ head: `${'x'.repeat(3000)}\nnext\n` });
  expect([message, line.length, line.slice(-20)]).toEqual([note, 2005, '[...truncated]\nnext\n']);
  const [, whole = ''] = ran({ head: `${'y'.repeat(99)}\n`.repeat(600) });
  expect(whole.length).toBe(50_000);
  expect(ran({ head: `${'y'.repeat(99)}\n`.repeat(501) })[0]).toBe(note);
  expect(ran({ head: `${'y'.repeat(99)}\n`.repeat(500) })[0]).toBe('<system>Command executed successfully.</system>');
});

test('an agent that ran out of time, or failed, says how to go on with it', () => {
  const failed = (timedOut: boolean): string[] =>
    told(
      AGENT,
      { description: 'd', prompt: 'p', timeout: 30 },
      {
        error: {
          code: 'subagent/no-result',
          message: 'none',
          data: { id: 'agent-1', reason: 'the model failed.', timedOut },
        },
        observed: [],
      },
    );
  expect([failed(true), failed(false)]).toEqual([
    ['<system>ERROR: Agent timed out after 30s. To go on with it, call Agent with resume="agent-1".</system>'],
    [
      '<system>ERROR: Failed to run agent: the model failed. To go on with it, call Agent with resume="agent-1".</system>',
    ],
  ]);
});

test('a snapshot of an ended agent has its text, and says that it is all of it', () => {
  const detail: TaskDetail = { kind: 'agent', agent: { name: 'explore', session: 's' }, result: 'Found it.' };
  const task: Task = {
    ...{ id: 'agent-1', kind: 'agent', state: 'completed', description: 'look' },
    ...{ startedAt: '2026-11-30T12:00:00Z', endedAt: '2026-11-30T12:00:01Z', detail },
  };
  const value = { action: 'show', jobs: [{ task, output: null }], total: 1 };
  const [message, output = ''] = told(TASK_OUTPUT, { task_id: 'agent-1' }, { value, observed: [] });
  expect([message, output.split('\n')]).toEqual([
    '<system>Task output retrieved.</system>',
    [
      'retrieval_status: success',
      ...['task_id: agent-1', 'kind: agent', 'status: completed', 'description: look'],
      ...['agent_id: agent-1', 'subagent_type: explore', 'interrupted: false', 'timed_out: false'],
      ...['terminal_reason: completed', ''],
      ...['output_path: ', 'output_size_bytes: 9', 'output_preview_bytes: 9', 'output_truncated: false', ''],
      ...[
        'full_output_available: false',
        'full_output_tool: ReadFile',
        'full_output_hint: All of it is shown here.',
        '',
      ],
      ...['[output]', 'Found it.'],
    ],
  ]);
});
