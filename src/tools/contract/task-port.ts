import type { Task, ToolFailure } from '../../model/index.ts';

export type CommandSpec = {
  command: string;
  /** Absolute path of the shell that runs it. */
  shell: string;
  /** A few words for lists and notices. */
  description: string;
  cwd: string;
  /** The whole environment. */
  env: Readonly<Record<string, string>>;
  /** Milliseconds; null: none. */
  timeoutMs: number | null;
  notify: 'always' | 'on-failure' | 'never';
};

/** A stretch of a task's output, cleaned for a screen and masked. */
export type TaskOutput = {
  text: string;
  /** Bytes of the file before the stretch, and of all of it so far. */
  offset: number;
  total: number;
  /** Absolute path of the file. */
  path: string;
};

/** `tail`: the last bytes; else from `offset`. Bytes; a character is never cut. */
export type OutputWindow = { tail: number } | { offset: number; limit: number };

/** The commands and agents that run beside the conversation, of this session. */
export interface TaskPort {
  startCommand(spec: CommandSpec): Promise<{ task: Task } | { error: ToolFailure }>;
  /** The newest first. */
  list(): readonly Task[];
  get(id: string): Task | null;
  /** Until any or all of them have ended, the time is over or the signal aborts. Never rejects. */
  wait(ids: readonly string[], until: 'any' | 'all', ms: number, signal: AbortSignal): Promise<void>;
  /** Ends it and waits until it is gone; one that has ended stays as it is. Null: there is no such task. */
  cancel(id: string, reason: string): Promise<Task | null>;
  /** Null: no such task, or it has no output of its own (an agent). */
  output(id: string, window: OutputWindow): Promise<TaskOutput | null>;
}
