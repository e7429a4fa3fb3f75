import type { Todo } from '../../model/index.ts';
import type { TodoArgs, TodoValue, ToolFace } from '../../tools/contract/index.ts';
import { makeFace } from './face.ts';

const STATUSES: readonly Todo['status'][] = ['pending', 'in-progress', 'done'];

/** Executor `todo`. */
export function todoFace(words: { name: string; description: string }): ToolFace {
  return makeFace<TodoArgs, TodoValue>({
    ...words,
    executor: 'todo',
    parameters: [
      {
        name: 'todos',
        type: 'objects',
        description: 'The whole list in order. Absent: the current list is returned.',
        fields: [
          { name: 'title', type: 'string', required: true, description: '' },
          { name: 'status', type: 'word', words: STATUSES, required: true, description: '' },
        ],
      },
    ],
    toArgs(given) {
      const { todos } = given as { todos?: NonNullable<TodoArgs['items']> };
      return { args: todos === undefined ? {} : { items: todos } };
    },
    toText({ items, changed }) {
      if (items.length === 0) return changed ? 'The list is empty now.' : 'The list is empty.';
      if (!changed) return items.map(({ title, status }) => `- [${status}] ${title}`).join('\n');
      const counts = STATUSES.map((status) => [items.filter((item) => item.status === status).length, status] as const);
      const said = counts.filter(([count]) => count > 0).map(([count, status]) => `${count} ${status}`);
      return `The list was replaced: ${said.join(', ')}.`;
    },
  });
}
