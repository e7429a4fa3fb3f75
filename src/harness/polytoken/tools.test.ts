import { expect, test } from 'vitest';
import type { ToolFace, ToolOutcome } from '../../tools/contract/index.ts';
import { specsOf, turn } from '../test-scenario.ts';
import { shellExecFace } from './shell-face.ts';
import { polytokenFacetFace, polytokenSkillFace, polytokenTools } from './tools.ts';

const FACES = polytokenTools(turn().settings);

function faceOf(name: string): ToolFace {
  const face = FACES.find((each) => each.name === name);
  if (face === undefined) expect.fail(`there is no ${name}`);
  return face;
}

/** Which engine tool with which arguments, or the failure's message. */
function called(name: string, given: object): unknown {
  const parsed = faceOf(name).toCall('c', JSON.stringify(given));
  return 'error' in parsed ? parsed.error.message : [parsed.call.executor, parsed.call.args];
}

function shown(name: string, value: unknown, more: Partial<ToolOutcome<unknown>> = {}): string {
  const parts = faceOf(name).toParts({ value, observed: [], ...more } as ToolOutcome<unknown>, turn());
  return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join();
}

test('the tools as the model is told of them', async () => {
  const specs = specsOf([...FACES, polytokenSkillFace([]), polytokenFacetFace(['execute', 'plan', 'orchestrate'])]);
  await expect(`${JSON.stringify(specs, null, 2)}\n`).toMatchFileSnapshot('./goldens/tools.txt');
});

test('the time limit of commands is the user’s where there is one', () => {
  const times = [undefined, 1_800_000].map((timeoutMs) => {
    const { timeout_seconds } = shellExecFace(timeoutMs).schema.properties as {
      timeout_seconds: { description: string };
    };
    return timeout_seconds.description;
  });
  expect(times).toEqual([
    'Seconds until it is stopped, at most 600. Default: 120.',
    'Seconds until it is stopped, at most 1800. Default: 1800.',
  ]);
});

test('a file is read from the lines that are skipped, and the result says how to go on', () => {
  expect([called('file_read', { path: 'a' }), called('file_read', { path: 'a', offset: 200, limit: 5 })]).toEqual([
    ['read', { path: 'a', firstLine: 1, lineCount: 200 }],
    ['read', { path: 'a', firstLine: 201, lineCount: 5 }],
  ]);
  expect([called('file_read', { path: 'a', offset: -1 }), called('file_read', { path: 'a', limit: 0 })]).toEqual([
    'offset must be an integer of at least 0, not -1',
    'limit must be an integer of at least 1, not 0',
  ]);
  const value = { kind: 'text', text: 'x\n', firstLine: 1, lastLine: 200, totalLines: 1234, shortenedLines: 0 };
  expect(shown('file_read', value)).toBe('x\n[lines 1 to 200 of 1,234; go on with offset 200]');
  expect(shown('file_read', { ...value, firstLine: 201, lastLine: 1234 })).toBe('x\n[lines 201 to 1234 of 1,234]');
});

test('a replacement is one edit', () => {
  expect([
    called('file_edit_search_replace', { path: 'a', search: 'x', replace: '' }),
    called('file_edit_search_replace', { path: 'a', search: 'x', replace: 'y', replace_all: true }),
    called('file_edit_search_replace', { path: 'a', search: 'x' }),
  ]).toEqual([
    ['edit', { path: 'a', edits: [{ old: 'x', new: '' }] }],
    ['edit', { path: 'a', edits: [{ old: 'x', new: 'y', all: true }] }],
    'replace is missing',
  ]);
  const value = { path: '/repo/a', replacements: 2, firstLine: 3, lastLine: 9 };
  expect(shown('file_edit_search_replace', value)).toBe('Edited /repo/a: 2 replacements, lines 3 to 9.');
});

test('searches take one place or several', () => {
  const globs = [{}, { path: 'a' }, { path: ['a'] }, { path: ['a', 'b'], respect_ignore_files: false }];
  expect(globs.map((given) => called('glob', { pattern: '*.ts', ...given }))).toEqual([
    ['glob', { pattern: '**/*.ts' }],
    ['glob', { pattern: '**/*.ts', path: 'a' }],
    ['glob', { pattern: '**/*.ts', path: 'a' }],
    ['glob', { pattern: '**/*.ts', paths: ['a', 'b'], ignored: true }],
  ]);
  const given = { pattern: 'x', path: ['a', 'b'], include: '*.ts', context_lines: 2, max_results: 7 };
  expect([called('grep', given), called('grep', { pattern: 'x', respect_ignore_files: true })]).toEqual([
    ['grep', { pattern: 'x', paths: ['a', 'b'], glob: '*.ts', before: 2, after: 2, limit: 7 }],
    ['grep', { pattern: 'x' }],
  ]);
  expect(called('glob', { pattern: '*', path: 1 })).toBe('path must be a string or an array of strings');
  const gaps = { unreadable: 0 };
  const entries = [{ path: 'repo/a.ts', directory: false }];
  expect(shown('glob', { root: '/', entries, total: 1, stopped: null, gaps })).toBe('a.ts');
});

test('a command’s result begins with its exit code', () => {
  const value = {
    exitCode: 0,
    signal: null,
    timedOut: false,
    aborted: false,
    durationMs: 1500,
    head: 'x\n',
    tail: '',
    droppedBytes: 0,
    leftRunning: false,
    left: [],
  };
  expect([
    shown('shell_exec', value),
    shown('shell_exec', { ...value, exitCode: 2, head: '' }),
    shown('shell_exec', { ...value, exitCode: null, timedOut: true, head: 'x' }),
    shown('shell_exec', { ...value, exitCode: null, signal: 'SIGKILL' }),
    shown('shell_exec', { ...value, leftRunning: true, left: [{ pid: 7, name: 'sleep' }] }),
  ]).toEqual([
    'exit_code=0\noutput:\nx\n',
    'exit_code=2\noutput:\n',
    'exit_code=none\noutput:\nx\n[timed out after 1.5 s and was stopped]',
    'exit_code=none\noutput:\nx\n[ended by SIGKILL]',
    'exit_code=0\noutput:\nx\n[still running: sleep (7)]',
  ]);
  expect(called('shell_exec', { command: 'ls', timeout_seconds: 3 })).toEqual([
    'shell',
    { command: 'ls', timeoutMs: 3000 },
  ]);
});

test('each todo tool changes one entry', () => {
  expect([
    called('todo_create', { title: 'a' }),
    called('todo_create', { title: 'a', status: 'in_progress' }),
    called('todo_update', { id: 3, status: 'done' }),
    called('todo_update', { id: 3 }),
    called('todo_complete', { id: 3 }),
    called('todo_delete', { id: 3 }),
    called('todo_list', {}),
    called('todo_create', { title: 'a', status: 'blocked' }),
  ]).toEqual([
    ['todo', { change: { type: 'create', title: 'a', status: 'pending' } }],
    ['todo', { change: { type: 'create', title: 'a', status: 'in-progress' } }],
    ['todo', { change: { type: 'update', id: '3', status: 'done' } }],
    'give a title, a status, or both',
    ['todo', { change: { type: 'update', id: '3', status: 'done' } }],
    ['todo', { change: { type: 'delete', id: '3' } }],
    ['todo', {}],
    'status must be one of pending, in_progress, done',
  ]);
  const entry = { id: '3', title: 'a', status: 'in-progress' };
  expect([
    shown('todo_update', { items: [entry], changed: true, entry }),
    shown('todo_list', { items: [entry, { id: '4', title: 'b', status: 'done' }], changed: false }),
    shown('todo_list', { items: [], changed: false }),
  ]).toEqual(['Updated:\n- 3 [in_progress] a', '- 3 [in_progress] a\n- 4 [done] b', 'There are no todos.']);
});

test('questions have options unless they are free, and there are at most four', () => {
  const text = { question: 'Why?', mode: 'text' };
  const option = { label: 'a', description: 'the first.', justification: 'It is there.' };
  const select = {
    question: 'Which?',
    mode: 'multi_select',
    context: 'There are two.',
    options: [option, { label: 'b' }],
  };
  expect([
    called('ask_user_question', { questions: [text, select] }),
    called('ask_user_question', { questions: [] }),
    called('ask_user_question', { questions: [text, text, text, text, text] }),
    called('ask_user_question', { questions: [{ ...text, options: [{ label: 'a' }] }] }),
    called('ask_user_question', { questions: [{ question: 'Which?', mode: 'single_select' }] }),
  ]).toEqual([
    [
      'ask',
      {
        questions: [
          { question: 'Why?' },
          {
            question: 'There are two.\n\nWhich?',
            options: [{ label: 'a', description: 'the first. It is there.' }, { label: 'b' }],
            multiple: true,
          },
        ],
      },
    ],
    'questions must not be empty',
    'questions must hold at most 4',
    'questions[0]: a question of mode text has no options',
    'questions[0]: mode single_select needs options',
  ]);
});

test('answers come as JSON, with what is missing of them', () => {
  const answers = [{ question: 'Why?', answer: ['a', 'b'] }];
  const json = '{"answers":[{"question":"Why?","answer":["a","b"]}]}';
  expect([
    shown('ask_user_question', { answers, ended: null }),
    shown('ask_user_question', { answers, ended: 'nobody' }),
    shown('ask_user_question', { answers: [], ended: 'aborted' }),
  ]).toEqual([
    json,
    `${json}\n[nobody was there to answer the rest]`,
    '{"answers":[]}\n[stopped by the user before the rest was answered]',
  ]);
  expect(shown('ask_user_question', { answers: [], ended: 'nobody' })).toMatch(/^Nobody can be asked/);
});
