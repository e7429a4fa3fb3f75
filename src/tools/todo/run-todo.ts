import type { TodoArgs, TodoValue, ToolContext, ToolOutcome } from '../contract/index.ts';
import { changeTodo } from './change-todo.ts';
import { setTodos } from './set-todos.ts';

/** Gives the list, puts another in its place, or changes one entry of it. */
export function runTodo(args: TodoArgs, context: ToolContext): Promise<ToolOutcome<TodoValue>> {
  return args.change === undefined ? setTodos(args, context) : changeTodo(args.change, context);
}
