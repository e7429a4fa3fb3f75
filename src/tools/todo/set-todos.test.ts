import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { Todo } from '../../model/index.ts';
import type { TodoArgs, TodoValue, ToolOutcome } from '../contract/index.ts';
import { testContext, testState } from '../test-context.ts';
import { setTodos } from './set-todos.ts';

const BEFORE: readonly Todo[] = [
  { id: '1', title: 'read', status: 'done' },
  { id: '4', title: 'write', status: 'in-progress' },
];

function run(args: TodoArgs, todos = BEFORE): Promise<ToolOutcome<TodoValue>> {
  return setTodos(args, testContext(createMemoryHost(), { state: { ...testState([]), todos } }));
}

test('a list takes the place of the one before as an event; entries that stay keep their ids', async () => {
  const items = [
    { title: 'write', status: 'done' as const },
    { title: 'test', status: 'pending' as const },
    { title: 'test', status: 'pending' as const },
  ];
  const todos = [
    { id: '4', title: 'write', status: 'done' },
    { id: '5', title: 'test', status: 'pending' },
    { id: '6', title: 'test', status: 'pending' },
  ];
  expect(await run({ items })).toEqual({
    value: { items: todos, changed: true },
    observed: [],
    events: [{ type: 'todos', items: todos }],
  });
});

test('an empty list clears, no list only tells', async () => {
  expect(await run({ items: [] })).toEqual({
    value: { items: [], changed: true },
    observed: [],
    events: [{ type: 'todos', items: [] }],
  });
  expect(await run({})).toEqual({ value: { items: BEFORE, changed: false }, observed: [] });
});

test('what is no list is refused as a whole', async () => {
  const entry = { title: 'x', status: 'pending' as const };
  const lists = [
    Array.from({ length: 101 }, () => entry),
    [entry, { ...entry, title: ' ' }],
    [{ ...entry, title: 'x'.repeat(501) }],
  ];
  const outcomes = await Promise.all(lists.map((items) => run({ items })));
  expect(outcomes).toEqual([
    { error: { code: 'todo/too-many', message: 'The list has 101 entries; at most 100 are kept.' }, observed: [] },
    {
      error: {
        code: 'todo/bad-title',
        message: 'The title of entry 2 must have 1 to 500 characters.',
        data: { index: 1 },
      },
      observed: [],
    },
    {
      error: {
        code: 'todo/bad-title',
        message: 'The title of entry 1 must have 1 to 500 characters.',
        data: { index: 0 },
      },
      observed: [],
    },
  ]);
});
