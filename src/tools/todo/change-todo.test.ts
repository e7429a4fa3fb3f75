import { expect, test } from 'vitest';
import type { Todo } from '../../model/index.ts';
import type { TodoChange, TodoValue, ToolOutcome } from '../contract/index.ts';
import { testState } from '../test-context.ts';
import { changeTodo } from './change-todo.ts';

const READ: Todo = { id: '1', title: 'read', status: 'done' };
const WRITE: Todo = { id: '4', title: 'write', status: 'in-progress' };

function change(given: TodoChange, todos: readonly Todo[] = [READ, WRITE]): Promise<ToolOutcome<TodoValue>> {
  return changeTodo(given, { state: { ...testState([]), todos } });
}

function changed(items: Todo[], entry: Todo): ToolOutcome<TodoValue> {
  return { value: { items, changed: true, entry }, observed: [], events: [{ type: 'todos', items }] };
}

test('a new entry comes last, with an id of its own', async () => {
  const entry: Todo = { id: '5', title: 'test', status: 'pending' };
  expect(await change({ type: 'create', title: 'test', status: 'pending' })).toEqual(
    changed([READ, WRITE, entry], entry),
  );
  const first = { ...entry, id: '1' };
  expect(await change({ type: 'create', title: 'test', status: 'pending' }, [])).toEqual(changed([first], first));
});

test('an entry is changed in its place, or taken away', async () => {
  const done: Todo = { ...READ, title: 'reread' };
  expect(await change({ type: 'update', id: '1', title: 'reread' })).toEqual(changed([done, WRITE], done));
  const pending: Todo = { ...WRITE, status: 'pending' };
  expect(await change({ type: 'update', id: '4', status: 'pending' })).toEqual(changed([READ, pending], pending));
  expect(await change({ type: 'delete', id: '1' })).toEqual(changed([WRITE], READ));
});

test('an id that is not there, a bad title and one entry too many change nothing', async () => {
  const many = Array.from({ length: 100 }, (_, index): Todo => ({ ...READ, id: String(index + 1) }));
  expect([
    await change({ type: 'delete', id: '2' }),
    await change({ type: 'update', id: '2', status: 'done' }, []),
    await change({ type: 'update', id: '4', title: ' ' }),
    await change({ type: 'create', title: 'x', status: 'pending' }, many),
  ]).toEqual([
    {
      error: { code: 'todo/not-found', message: 'There is no entry "2" (known: 1, 4).', data: { id: '2' } },
      observed: [],
    },
    {
      error: { code: 'todo/not-found', message: 'There is no entry "2" (the list is empty).', data: { id: '2' } },
      observed: [],
    },
    {
      error: {
        code: 'todo/bad-title',
        message: 'The title of entry 2 must have 1 to 500 characters.',
        data: { index: 1 },
      },
      observed: [],
    },
    { error: { code: 'todo/too-many', message: 'The list has 101 entries; at most 100 are kept.' }, observed: [] },
  ]);
});
