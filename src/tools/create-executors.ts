import { resolve } from 'node:path';
import type {
  AnyExecutor,
  EditArgs,
  EditValue,
  Executor,
  ReadArgs,
  ReadValue,
  ShellArgs,
  ShellValue,
  WriteArgs,
  WriteValue,
} from './contract/index.ts';
import { PathQueue } from './files/path-queue.ts';

/**
 * The engine's tools by name. What a tool does is loaded when it first runs. One set may serve several sessions:
 * it remembers nothing between calls, and lets changes of one file wait for each other.
 */
export function createExecutors(): ReadonlyMap<string, AnyExecutor> {
  const queue = new PathQueue();
  const read: Executor<ReadArgs, ReadValue> = {
    name: 'read',
    effect: 'read',
    subjects: ({ path }, cwd) => [{ type: 'path', path: resolve(cwd, path), access: 'read' }],
    run: async (args, context) => (await import('./files/read-file.ts')).readFile(args, context),
  };
  const edit: Executor<EditArgs, EditValue> = {
    name: 'edit',
    effect: 'write',
    subjects: ({ path }, cwd) => [{ type: 'path', path: resolve(cwd, path), access: 'write' }],
    run: async (args, context) => (await import('./files/edit-file.ts')).editFile(args, context, queue),
  };
  const write: Executor<WriteArgs, WriteValue> = {
    name: 'write',
    effect: 'write',
    subjects: ({ path }, cwd) => [{ type: 'path', path: resolve(cwd, path), access: 'write' }],
    run: async (args, context) => (await import('./files/write-file.ts')).writeFile(args, context, queue),
  };
  const shell: Executor<ShellArgs, ShellValue> = {
    name: 'shell',
    effect: 'execute',
    subjects: ({ command }) => [{ type: 'command', command }],
    run: async (args, context) => (await import('./shell/run-command.ts')).runCommand(args, context),
  };
  return new Map<string, AnyExecutor>([read, edit, write, shell].map((executor) => [executor.name, executor]));
}
