import type { FileObservation } from './file-observation.ts';
import type { Header } from './log.ts';
import type { Message } from './message.ts';
import type { Plan, Todo } from './task.ts';
import type { Usage } from './usage.ts';
import type { Json } from './wire.ts';

/** The choices in force on this branch; null: never chosen in this session. */
export type Choices = {
  harness: string | null;
  wire: string | null;
  model: string | null;
  effort: string | null;
  facet: string | null;
  'permission-mode': string | null;
};

/** What the model was given of the user's instruction files in this context. */
export type Delivery = {
  /** Real paths of the chain last delivered, or found empty; null: not checked since the context began. */
  chain: readonly string[] | null;
  /** By path: the event that carried its body, and the file's hash then. */
  files: Readonly<Record<string, { event: string; sha256: string }>>;
  /** `key`s of reminders that go out once. */
  keys: readonly string[];
  /** What the context began with. A compaction's asks for more to be delivered anew than the others. */
  began: 'start' | 'clear' | 'compaction';
  /** The plan as the model can work it out from what it sees: its hash; null: it sees none. */
  plan: string | null;
  /** Of a compaction: instruction files that a kept read shows whole and undecorated, by real path. */
  kept: Readonly<Record<string, { event: string; sha256: string }>>;
  /** Real paths of instruction files used in this session, across contexts; the last used last. Bounded. */
  used: readonly string[];
  /** Names of skills loaded in this session, across contexts, in order of their first use. Bounded. */
  skills: readonly string[];
};

/** Everything that is a fold over the active branch; each field by one fold of the same name. */
export type Folded = {
  history: readonly Message[];
  choices: Choices;
  pins: Readonly<Record<string, string>>;
  narrowing: { allow: readonly string[] | null; deny: readonly string[] };
  /** Bottom first, top last: the working directory. */
  directories: readonly string[];
  todos: readonly Todo[];
  plan: Plan | null;
  planMode: { on: boolean; file: string } | null;
  delivery: Delivery;
  /** Ids of tasks whose end the model was told on this branch, across contexts. Bounded. */
  told: readonly string[];
  /** What this session, a subagent’s, gave to its caller since it was last asked; null: nothing yet. */
  given: Json | null;
  /** The latest observation of each file in this context, by real path. */
  observed: Readonly<Record<string, FileObservation>>;
  usage: { last: Usage | null; total: Usage; requests: number };
};

export type SessionState = Folded & {
  readonly id: string;
  readonly header: Header;
  /** The id of the last branch-scoped event in force. */
  readonly leaf: string | null;
};

/** The top of the stack of directories. */
export function workingDirectory({ directories, header }: Pick<SessionState, 'directories' | 'header'>): string {
  return directories.at(-1) ?? header.cwd;
}
