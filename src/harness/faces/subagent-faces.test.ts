import { describe, expect, test } from 'vitest';
import { layoutText } from '../../instructions/index.ts';
import type { Task } from '../../model/index.ts';
import type { ToolFace, ToolOutcome } from '../../tools/contract/index.ts';
import { turn } from '../test-scenario.ts';
import { exitFace } from './exit-face.ts';
import { jobFace } from './job-face.ts';
import { messageFace, subagentFace } from './subagent-face.ts';
import { endedPiece } from './task-ended.ts';

const WAITS = subagentFace({ name: 'subagent', description: 'Starts.', list: [], background: 'choice' });
const NEVER_WAITS = subagentFace({ name: 'subagent', description: 'Starts.', list: [], background: 'always' });
const MESSAGE = messageFace({ name: 'message', description: 'Says.' });
const JOB = jobFace({ name: 'job', description: 'Looks.' });

function args(face: ToolFace, given: object | string): unknown {
  const parsed = face.toCall('c', typeof given === 'string' ? given : JSON.stringify(given));
  return 'error' in parsed ? parsed.error.message : parsed.call.args;
}

function shown(face: ToolFace, value: unknown): string {
  const parts = face.toParts({ value, observed: [] } as ToolOutcome<unknown>, turn());
  return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join();
}

function failed(face: ToolFace): unknown {
  return face.toParts({ error: { code: 'x', message: 'No.' }, observed: [] }, turn());
}

function task(fields: Partial<Task> = {}): Task {
  return {
    id: 'agent-1',
    kind: 'agent',
    state: 'running',
    description: 'look',
    startedAt: '2026-11-30T12:00:00.000+00:00',
    endedAt: null,
    detail: { agent: { name: 'scout', session: 's' } },
    ...fields,
  };
}

const DONE = task({
  state: 'completed',
  endedAt: '2026-11-30T12:00:14.000+00:00',
  detail: { agent: { name: 'scout', session: 's' }, result: { summary: 'x' } },
});

describe('the tool that starts an agent', () => {
  const needed = { agent: 'scout', prompt: 'Look.', description: 'look' };

  test('takes what is needed, and leaves out what is not said', () => {
    expect(args(WAITS, needed)).toEqual({ ...needed, background: false, timeoutMs: null });
    expect(args(WAITS, { agent: 'scout' })).toBe('prompt is missing');
  });

  test('has seconds become milliseconds, and not fewer than thirty of them', () => {
    const all = { ...needed, background: true, cwd: 'sub', model: 'p/m', resume_from: 'agent-0', timeout: 30 };
    expect([args(WAITS, all), args(WAITS, { ...needed, timeout: 29 })]).toEqual([
      { ...needed, background: true, cwd: 'sub', model: 'p/m', resumeFrom: 'agent-0', timeoutMs: 30_000 },
      'timeout must be an integer of at least 30, not 29',
    ]);
  });

  test('offers no wait where there is none', () => {
    const names = (face: ToolFace): string[] => Object.keys(face.schema.properties as object);
    expect(names(WAITS).filter((name) => !names(NEVER_WAITS).includes(name))).toEqual(['background']);
    expect(args(NEVER_WAITS, needed)).toEqual({ ...needed, background: true, timeoutMs: null });
  });

  test('shows that it runs, or what it gave', () => {
    expect([shown(WAITS, { task: task(), background: true }), shown(WAITS, { task: DONE, background: false })]).toEqual(
      [
        'Started agent-1 (look). You will be told when it has ended.',
        'agent-1: completed after 14 s\n{\n  "summary": "x"\n}',
      ],
    );
    expect(failed(WAITS)).toEqual([{ type: 'text', text: 'Error: No.' }]);
  });

  test('lists the agents below its own words', () => {
    const list = [{ separator: '- scout: Looks.' }];
    const face = subagentFace({ name: 'subagent', description: 'Starts.', list, background: 'choice' });
    expect(layoutText(face.description)).toBe('Starts.\n\n- scout: Looks.');
  });
});

test('a word names whom it is for, and says when it comes', () => {
  expect([args(MESSAGE, { id: 'agent-1', text: 'Left.' }), args(MESSAGE, { id: 'agent-1' })]).toEqual([
    { id: 'agent-1', text: 'Left.' },
    'text is missing',
  ]);
  expect(shown(MESSAGE, { task: task() })).toBe('agent-1 gets the message at its next pause.');
});

test('a result is any JSON object, with the schema that it is judged by; nothing at all is an empty one', () => {
  const schema = { type: 'object', required: ['verdict'] };
  const face = exitFace({ name: 'exit_tool', description: 'Gives.', schema });
  expect([face.schema, args(face, { any: [1] }), args(face, ' '), args(face, '[1]'), args(face, '{"a":')]).toEqual([
    schema,
    { value: { any: [1] }, schema },
    { value: {}, schema },
    'the arguments are not a JSON object',
    'the arguments are not a JSON object',
  ]);
  expect([shown(face, { value: {} }), failed(face)]).toEqual([
    'Your caller has the result.',
    [{ type: 'text', text: 'Error: No.' }],
  ]);
});

describe('the tool for jobs', () => {
  const window = { tail: 8192 };

  test('lists, shows, waits and stops', () => {
    expect([
      args(JOB, { action: 'list' }),
      args(JOB, { action: 'list', all: true }),
      args(JOB, { action: 'show', ids: 'bash-1', tail: 10 }),
      args(JOB, { action: 'wait', ids: ['bash-1', 'agent-1'] }),
      args(JOB, { action: 'wait', ids: ['bash-1'], all: true, seconds: 5 }),
      args(JOB, { action: 'stop', ids: ['bash-1'] }),
    ]).toEqual([
      { action: 'list' },
      { action: 'list', all: true },
      { action: 'show', id: 'bash-1', window: { tail: 10 } },
      { action: 'wait', ids: ['bash-1', 'agent-1'], until: 'any', timeoutMs: 60_000, window },
      { action: 'wait', ids: ['bash-1'], until: 'all', timeoutMs: 5000, window },
      { action: 'stop', id: 'bash-1', window },
    ]);
  });

  test('says what is missing, and never leaves out a job that was named', () => {
    expect([
      args(JOB, { action: 'show' }),
      args(JOB, { action: 'wait', ids: [] }),
      args(JOB, { action: 'stop', ids: ['a', 'b'] }),
      args(JOB, { action: 'show', ids: ['a', 'b'] }),
      args(JOB, { action: 'wait', ids: 'a', seconds: -1 }),
      args(JOB, { action: 'end' }),
    ]).toEqual([
      'ids is missing: show is about jobs by their ids',
      'ids is missing: wait is about jobs by their ids',
      'ids: stop is about one job; only wait takes several',
      'ids: show is about one job; only wait takes several',
      'seconds must be an integer of at least 0, not -1',
      'action must be one of list, show, wait, stop',
    ]);
  });

  const command = task({
    id: 'bash-1',
    kind: 'command',
    state: 'failed',
    description: 'test',
    endedAt: '2026-11-30T12:02:30.000+00:00',
    detail: { command: 'npm test', reason: 'exit code 2' },
  });
  const output = { text: 'end', offset: 0, total: 3, path: '/o' };

  test('shows a line a job in a list, and how many more there are', () => {
    expect([
      shown(JOB, { action: 'list', jobs: [], total: 0 }),
      shown(JOB, {
        action: 'list',
        jobs: [
          { task: task(), output: null },
          { task: command, output: null },
        ],
        total: 5,
      }),
    ]).toEqual([
      'There are none.',
      'agent-1  agent scout  running  look\nbash-1  command  failed (exit code 2) after 3 min  test\n[3 more]',
    ]);
  });

  test('shows the end of an output with where it begins, and what an agent gave', () => {
    const show = (job: object, waited?: string): string =>
      shown(JOB, { action: 'show', jobs: [job], total: 1, ...(waited === undefined ? {} : { waited }) });
    const head = 'bash-1  command  failed (exit code 2) after 3 min  test\ncommand: npm test\n';
    expect([
      show({ task: command, output }),
      show({ task: command, output: { ...output, offset: 9000, total: 9003 } }),
      show({ task: command, output: { ...output, text: '', total: 0 } }),
      show({ task: DONE, output: null }, 'time'),
      show({ task: task(), output: null }, 'aborted'),
    ]).toEqual([
      `${head}output (3 bytes, /o):\nend\n`,
      `${head}output (from byte 9,000 of 9,003 bytes, /o):\nend\n`,
      `${head}output (0 bytes, /o):\n[none]\n`,
      '[still running at the end of the wait]\nagent-1  agent scout  completed after 14 s  look\nresult:\n{\n  "summary": "x"\n}\n',
      '[stopped by the user]\nagent-1  agent scout  running  look\n',
    ]);
  });
});

test('a long result is cut between two characters, and the cut is told', () => {
  const long = (units: number): Task => ({
    ...DONE,
    detail: { ...DONE.detail, result: `${'a'.repeat(units)}🙂${'b'.repeat(20)}` },
  });
  const given = shown(WAITS, { task: long(23_999), background: false });
  expect(given).toBe(`agent-1: completed after 14 s\n${'a'.repeat(23_999)}\n[cut: 24,021 characters in all]`);
  const { text } = endedPiece({ task: long(7999), output: null }, { tag: 'note', more: 'the tool job' });
  expect(text.split('\n')).toEqual([
    'agent-1 (agent scout: look) has ended: completed after 14 s.',
    'The beginning of its result:',
    'a'.repeat(7999),
    'All of it: the tool job.',
  ]);
});
