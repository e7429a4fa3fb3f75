import type { Todo } from '../../../model/index.ts';
import type { TodoArgs, TodoValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/set-todo-list.md';
import { nullable } from './kimi-arguments.ts';
import { kimiFace } from './kimi-face.ts';

type Status = 'pending' | 'in_progress' | 'done';
type Given = { todos: { title: string; status: Status }[] | null };

const UPDATED = 'Todo list updated';

function ours(status: Status): Todo['status'] {
  return status === 'in_progress' ? 'in-progress' : status;
}

function theirs(status: Todo['status']): Status {
  return status === 'in-progress' ? 'in_progress' : status;
}

/** Executor `todo` (spec/kimi-cli.md 13.10). */
export const SET_TODO_LIST: ToolFace = kimiFace<TodoArgs, TodoValue>({
  name: 'SetTodoList',
  description,
  executor: 'todo',
  parameters: [
    {
      name: 'todos',
      schema: nullable(
        {
          type: 'array',
          items: {
            type: 'object',
            properties: {
              title: { type: 'string', minLength: 1, description: 'What is to be done.' },
              status: { type: 'string', enum: ['pending', 'in_progress', 'done'], description: 'How far it is.' },
            },
            required: ['title', 'status'],
          },
        },
        { description: 'The whole list, in order. Left out: the list is returned as it is.' },
      ),
    },
  ],
  toArgs(given) {
    const { todos } = given as Given;
    return {
      args: todos === null ? {} : { items: todos.map(({ title, status }) => ({ title, status: ours(status) })) },
    };
  },
  toResult({ items }, _outcome, _turn, args) {
    if (args?.items !== undefined) return { message: UPDATED, output: UPDATED };
    if (items.length === 0) return { output: 'Todo list is empty.' };
    const lines = items.map(({ title, status }) => `- [${theirs(status)}] ${title}`);
    return { output: ['Current todo list:', ...lines].join('\n') };
  },
});
