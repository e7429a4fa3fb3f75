import type { Todo, ToolFailure } from '../../model/index.ts';
import type { TodoChange, TodoValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { faultOf, nextId } from './set-todos.ts';

type Outcome = ToolOutcome<TodoValue>;

/** Changes one entry of the list, as an event of the session that holds the whole list after it. */
export async function changeTodo(change: TodoChange, { state }: Pick<ToolContext, 'state'>): Promise<Outcome> {
  const { todos } = state;
  if (change.type === 'create') {
    const entry: Todo = { id: nextId(todos), title: change.title, status: change.status };
    return changed([...todos, entry], entry);
  }
  const before = todos.find(({ id }) => id === change.id);
  if (before === undefined) return { error: unknown(change.id, todos), observed: [] };
  if (change.type === 'delete') {
    return changed(
      todos.filter((todo) => todo !== before),
      before,
    );
  }
  const { title = before.title, status = before.status } = change;
  const entry: Todo = { ...before, title, status };
  return changed(
    todos.map((todo) => (todo === before ? entry : todo)),
    entry,
  );
}

function changed(items: Todo[], entry: Todo): Outcome {
  const error = faultOf(items);
  if (error !== null) return { error, observed: [] };
  return { value: { items, changed: true, entry }, observed: [], events: [{ type: 'todos', items }] };
}

function unknown(id: string, todos: readonly Todo[]): ToolFailure {
  const known = todos.length === 0 ? 'the list is empty' : `known: ${todos.map((todo) => todo.id).join(', ')}`;
  return {
    code: 'todo/not-found',
    message: `There is no entry ${JSON.stringify(id.slice(0, 100))} (${known}).`,
    data: { id: id.slice(0, 100) },
  };
}
