import { expect, test } from 'vitest';
import type { FetchValue, ToolFace, ToolOutcome } from '../../tools/contract/index.ts';
import { turn } from '../test-scenario.ts';
import { askFace } from './ask-face.ts';
import { fetchFace } from './fetch-face.ts';
import { subagentFace } from './subagent-face.ts';
import { todoFace } from './todo-face.ts';

const TODO = todoFace({ name: 'todo', description: 'Keeps.' });
const ASK = askFace({ name: 'ask', description: 'Asks.' });
const FETCH = fetchFace({ name: 'fetch', description: 'Fetches.' });

function args(face: ToolFace, given: object): unknown {
  const parsed = face.toCall('c', JSON.stringify(given));
  return 'error' in parsed ? parsed.error.message : parsed.call.args;
}

function shown(face: ToolFace, value: unknown, more: Partial<ToolOutcome<unknown>> = {}): string {
  const parts = face.toParts({ value, observed: [], ...more } as ToolOutcome<unknown>, turn());
  return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join();
}

test('a list is whole or absent, each entry with a title and one of three words', () => {
  expect(args(TODO, {})).toEqual({});
  expect(args(TODO, { todos: [] })).toEqual({ items: [] });
  expect(args(TODO, { todos: [{ title: 'a', status: 'done' }] })).toEqual({ items: [{ title: 'a', status: 'done' }] });
  expect(args(TODO, { todos: [{ title: 'a' }] })).toBe('todos[0].status is missing');
  expect(args(TODO, { todos: [{ title: 'a', status: 'completed' }] })).toBe(
    'todos[0].status must be one of pending, in-progress, done',
  );
  expect((TODO.schema.properties as Record<string, unknown>).todos).toEqual({
    type: 'array',
    description: 'The whole list in order. Absent: the current list is returned.',
    items: {
      type: 'object',
      properties: {
        title: { type: 'string' },
        status: { type: 'string', enum: ['pending', 'in-progress', 'done'] },
      },
      required: ['title', 'status'],
      additionalProperties: false,
    },
  });
});

test('a changed list is counted, an unchanged one is shown', () => {
  const items = [
    { id: '1', title: 'a', status: 'done' },
    { id: '2', title: 'b', status: 'in-progress' },
    { id: '3', title: 'c', status: 'done' },
  ];
  expect(shown(TODO, { items, changed: true })).toBe('The list was replaced: 1 in-progress, 2 done.');
  expect(shown(TODO, { items, changed: false })).toBe('- [done] a\n- [in-progress] b\n- [done] c');
  expect(shown(TODO, { items: [], changed: true })).toBe('The list is empty now.');
  expect(shown(TODO, { items: [], changed: false })).toBe('The list is empty.');
});

test('a question goes with its options', () => {
  expect(args(ASK, { question: 'Which?' })).toEqual({ questions: [{ question: 'Which?' }] });
  expect(args(ASK, { question: 'Which?', options: ['a', 'b'], multiple: true })).toEqual({
    questions: [{ question: 'Which?', options: [{ label: 'a' }, { label: 'b' }], multiple: true }],
  });
  expect(args(ASK, { question: 'Which?', options: 'a' })).toBe('options must be an array of strings');
});

test('an answer is told as the user’s, and where nobody answers the model is told what to do', () => {
  const answer = (value: unknown) => ({ answers: [{ question: 'Which?', answer: value }], ended: null });
  expect([shown(ASK, answer('b')), shown(ASK, answer(['a', 'c']))]).toEqual([
    'The user answered: b',
    'The user answered: a; c',
  ]);
  expect(shown(ASK, { answers: [], ended: 'nobody' })).toBe(
    'Nobody can be asked in this run. Take the most sensible answer yourself, say which one you took, and go on; if no answer would be sensible, end and say what you need to know.',
  );
  expect(shown(ASK, { answers: [], ended: 'aborted' })).toBe('[stopped by the user before an answer came]');
});

const PAGE: FetchValue = {
  kind: 'page',
  url: 'https://a.b/',
  status: 200,
  mime: 'text/html',
  text: '# A',
  converted: true,
  droppedBytes: 0,
  cutShort: false,
};

test('a page comes under its address, with what was left out of it', () => {
  expect(shown(FETCH, PAGE)).toBe('[https://a.b/: text/html as Markdown]\n# A');
  expect(shown(FETCH, { ...PAGE, mime: '', converted: false, text: 'x\n' })).toBe('[https://a.b/]\nx');
  expect(shown(FETCH, { ...PAGE, text: '' })).toBe('[https://a.b/: text/html as Markdown]\n[it holds no text]');
  const cut = { ...PAGE, droppedBytes: 12345, cutShort: true };
  expect([shown(FETCH, cut, { spill: '/s/x' }), shown(FETCH, cut)]).toEqual([
    '[https://a.b/: text/html as Markdown]\n# A\n[12,345 bytes left out; the whole text is in /s/x]\n[the answer goes on; no more of it was read]',
    '[https://a.b/: text/html as Markdown]\n# A\n[12,345 bytes left out]\n[the answer goes on; no more of it was read]',
  ]);
});

test('a redirect to elsewhere is told with the address to ask for', () => {
  expect(shown(FETCH, { kind: 'elsewhere', url: 'https://a.b/', status: 301, location: 'https://c.d/' })).toBe(
    '[https://a.b/ answered 301 and leads to https://c.d/. That was not fetched; fetch it if you need it.]',
  );
});

test('what a subagent is for is said', () => {
  const face = subagentFace({ name: 'subagent', description: 'Starts.', list: [], background: 'always' });
  expect(args(face, { agent: 'a', prompt: 'p', description: ' \n' })).toBe(
    'description is missing: the task in a few words',
  );
  expect(args(face, { agent: 'a', prompt: 'p', description: 'd' })).toEqual({
    agent: 'a',
    prompt: 'p',
    description: 'd',
    background: true,
    timeoutMs: null,
  });
});
