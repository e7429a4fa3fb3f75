import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Todo } from '../../model/index.ts';
import type { TodoChange } from '../contract/index.ts';
import { testState } from '../test-context.ts';
import { changeTodo } from './change-todo.ts';

const anyStatus = fc.constantFrom<Todo['status']>('pending', 'in-progress', 'done');
const anyId = fc.integer({ min: 1, max: 8 }).map(String);
const anyChange: fc.Arbitrary<TodoChange> = fc.oneof(
  fc.record({ type: fc.constant('create' as const), title: fc.string(), status: anyStatus }),
  fc.record({ type: fc.constant('update' as const), id: anyId, status: anyStatus }),
  fc.record({ type: fc.constant('delete' as const), id: anyId }),
);

test('whatever is changed, ids stay different, and every other entry stays as it was', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyChange, { maxLength: 20 }), async (changes) => {
      let todos: readonly Todo[] = [];
      for (const change of changes) {
        const outcome = await changeTodo(change, { state: { ...testState([]), todos } });
        if ('error' in outcome) continue;
        const { items, entry } = outcome.value;
        expect(new Set(items.map(({ id }) => id)).size).toBe(items.length);
        const others = (list: readonly Todo[]): Todo[] => list.filter(({ id }) => id !== entry?.id);
        expect(others(items)).toEqual(others(todos));
        todos = items;
      }
    }),
  );
});
