import type { Todo, ToolFailure } from '../../model/index.ts';
import type { TodoArgs, TodoValue, ToolContext, ToolOutcome } from '../contract/index.ts';

const MAX_ITEMS = 100;
const MAX_TITLE = 500;

/**
 * Puts a list in place of the one there is, as an event of the session; without a list it only tells. An entry with
 * the title of an earlier one is that one and keeps its id.
 */
export async function setTodos({ items }: TodoArgs, { state }: ToolContext): Promise<ToolOutcome<TodoValue>> {
  if (items === undefined) return { value: { items: state.todos, changed: false }, observed: [] };
  const error = faultOf(items);
  if (error !== null) return { error, observed: [] };
  const todos = identify(items, state.todos);
  return { value: { items: todos, changed: true }, observed: [], events: [{ type: 'todos', items: todos }] };
}

/** What keeps a list from being kept, or null. */
export function faultOf(items: readonly { title: string }[]): ToolFailure | null {
  if (items.length > MAX_ITEMS) {
    return { code: 'todo/too-many', message: `The list has ${items.length} entries; at most ${MAX_ITEMS} are kept.` };
  }
  const at = items.findIndex(({ title }) => title.trim() === '' || title.length > MAX_TITLE);
  if (at === -1) return null;
  const message = `The title of entry ${at + 1} must have 1 to ${MAX_TITLE} characters.`;
  return { code: 'todo/bad-title', message, data: { index: at } };
}

function identify(items: readonly Omit<Todo, 'id'>[], before: readonly Todo[]): Todo[] {
  const known = [...before];
  let last = lastId(before);
  return items.map(({ title, status }) => {
    const at = known.findIndex((todo) => todo.title === title);
    const [same] = at === -1 ? [] : known.splice(at, 1);
    if (same === undefined) last += 1;
    return { id: same?.id ?? String(last), title, status };
  });
}

/** The id of an entry that is added to these: ids are numbers, and none that is there is given again. */
export function nextId(todos: readonly Todo[]): string {
  return String(lastId(todos) + 1);
}

function lastId(todos: readonly Todo[]): number {
  return Math.max(0, ...todos.map(({ id }) => Number(id)).filter(Number.isSafeInteger));
}
