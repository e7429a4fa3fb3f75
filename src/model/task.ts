import type { Usage } from './usage.ts';
import type { Json } from './wire.ts';

export type TaskState = 'created' | 'starting' | 'running' | 'completed' | 'failed' | 'killed' | 'lost';

/** Tells a process of this machine from every other, and by `mark` what it started. */
export type TaskProcess = {
  pid: number;
  bootId: string | null;
  startTime: string | null;
  mark: { variable: string; value: string };
};

/** What the notes of a task say of it beside its state; each note says what is new. */
export type TaskDetail = {
  kind?: 'command' | 'agent';
  /** What it is for, in a few words. */
  description?: string;
  /** Of a command. */
  command?: string;
  cwd?: string;
  /** The model is told when it ends. A service is not waited for, and tells only where it fails. */
  notify?: 'always' | 'on-failure' | 'never';
  /** Milliseconds; null: none. */
  timeoutMs?: number | null;
  /** Absolute path of the file that holds its output. */
  output?: string;
  process?: TaskProcess;
  /** Of an agent: the name of its definition, and the id of its session. */
  agent?: { name: string; session: string };
  exitCode?: number | null;
  /** Why it ended so, in a few words. */
  reason?: string;
  timedOut?: boolean;
  /** What an agent gave. */
  result?: Json;
  /** What an agent spent, everything it started included. */
  usage?: Usage;
};

/** A command or an agent that runs beside the conversation, as the session's notes have it. */
export type Task = {
  id: string;
  kind: 'command' | 'agent';
  state: TaskState;
  description: string;
  /** RFC 3339. */
  startedAt: string;
  endedAt: string | null;
  /** The newest word of each detail. */
  detail: TaskDetail;
};

const ENDED: readonly TaskState[] = ['completed', 'failed', 'killed', 'lost'];

export function hasEnded({ state }: Pick<Task, 'state'>): boolean {
  return ENDED.includes(state);
}

export type Todo = {
  id: string;
  title: string;
  status: 'pending' | 'in-progress' | 'done';
};

/** `all`: every occurrence; else the text stood in the plan exactly once. */
export type PlanEdit = { old: string; new: string; all?: true };

/**
 * The plan of a session. `changes`: the edits since it was last written whole, the oldest first; `before`: the hash of
 * the text that each began with.
 */
export type Plan = { path: string; text: string; changes: readonly { before: string; edits: readonly PlanEdit[] }[] };
