import type { Todo } from '../../model/index.ts';
import type { TodoArgs, TodoChange, TodoValue, ToolFace } from '../../tools/contract/index.ts';
import type { Parameter, ParsedArguments } from '../faces/arguments.ts';
import { makeFace } from '../faces/face.ts';
import complete from './descriptions/todo-complete.md';
import create from './descriptions/todo-create.md';
import remove from './descriptions/todo-delete.md';
import list from './descriptions/todo-list.md';
import update from './descriptions/todo-update.md';

/** The harness's words for the engine's. */
const STATUSES = { pending: 'pending', in_progress: 'in-progress', done: 'done' } as const;

const ID: Parameter = { name: 'id', type: 'integer', minimum: 1, required: true, description: 'Of the todo.' };

function titleOf(required: boolean): Parameter {
  return { name: 'title', type: 'string', description: 'What is to do.', ...(required ? { required: true } : {}) };
}

function statusOf(description: string): Parameter {
  return { name: 'status', type: 'word', words: Object.keys(STATUSES), description };
}

function line({ id, title, status }: Todo): string {
  return `- ${id} [${status === 'in-progress' ? 'in_progress' : status}] ${title}`;
}

type Given = { id: number; title?: string; status?: keyof typeof STATUSES };

type Change = {
  name: string;
  description: string;
  parameters: readonly Parameter[];
  /** Null: nothing to change was given. */
  change(given: Given): TodoChange | null;
  said: string;
};

/** A tool that changes one todo. */
function changeFace({ name, description, parameters, change, said }: Change): ToolFace {
  return makeFace<TodoArgs, TodoValue>({
    name,
    description,
    executor: 'todo',
    parameters,
    toArgs(given: ParsedArguments) {
      const made = change(given as Given);
      if (made !== null) return { args: { change: made } };
      return { error: { code: 'arguments/invalid', message: 'give a title, a status, or both' } };
    },
    toText: ({ entry }) => (entry === undefined ? said : `${said}\n${line(entry)}`),
  });
}

/** Executor `todo`, one entry a call (spec/polytoken.md 15.1; without descriptions and dependencies). */
export const TODO_FACES: readonly ToolFace[] = [
  changeFace({
    name: 'todo_create',
    description: create,
    parameters: [titleOf(true), statusOf('Default: pending.')],
    change: ({ title = '', status = 'pending' }) => ({ type: 'create', title, status: STATUSES[status] }),
    said: 'Created:',
  }),
  changeFace({
    name: 'todo_update',
    description: update,
    parameters: [ID, titleOf(false), statusOf('')],
    change({ id, title, status }) {
      if (title === undefined && status === undefined) return null;
      return {
        type: 'update',
        id: String(id),
        ...(title === undefined ? {} : { title }),
        ...(status === undefined ? {} : { status: STATUSES[status] }),
      };
    },
    said: 'Updated:',
  }),
  changeFace({
    name: 'todo_complete',
    description: complete,
    parameters: [ID],
    change: ({ id }) => ({ type: 'update', id: String(id), status: 'done' }),
    said: 'Completed:',
  }),
  changeFace({
    name: 'todo_delete',
    description: remove,
    parameters: [ID],
    change: ({ id }) => ({ type: 'delete', id: String(id) }),
    said: 'Deleted:',
  }),
  makeFace<TodoArgs, TodoValue>({
    name: 'todo_list',
    description: list,
    executor: 'todo',
    parameters: [],
    toArgs: () => ({ args: {} }),
    toText: ({ items }) => (items.length === 0 ? 'There are no todos.' : items.map(line).join('\n')),
  }),
];
