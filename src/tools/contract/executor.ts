import type { HostPorts } from '../../host/index.ts';
import type {
  Effect,
  EventBody,
  FileObservation,
  SessionState,
  Subject,
  TakenImage,
  ToolFailure,
} from '../../model/index.ts';
import type { AgentPort } from './agent-port.ts';
import type { QuestionPort } from './question-port.ts';
import type { TaskPort } from './task-port.ts';

/** The variable whose value, a call's mark, all that a command starts inherits. */
export const CALL_MARK = 'REIN_CALL';

/** Bounds a tool keeps to, whatever the model asks for. Sizes in bytes, times in milliseconds. */
export type Limits = {
  /** Largest file that read and edit open. */
  fileBytes: number;
  /** Most text one result carries to the model. */
  resultBytes: number;
  /** Longest line that is shown whole. */
  lineBytes: number;
  /** Kept of a command's output in memory: this much of its head and of its tail. */
  headBytes: number;
  tailBytes: number;
  /** Most that a spill file takes. */
  spillBytes: number;
  commandTimeoutMs: number;
  commandTimeoutMaxMs: number;
};

export type ToolContext = {
  host: HostPorts;
  /** The working directory; relative paths start here. */
  cwd: string;
  state: SessionState;
  /** The session as it was when the model made this call: what it can have seen. Earlier calls of its batch are not in it. */
  known: SessionState;
  signal: AbortSignal;
  /** Output as it comes, cleaned for a screen. */
  progress(chunk: string): void;
  limits: Limits;
  /** Of this call alone: what a later run of the program finds the call's processes by. */
  mark: string;
  /** The whole environment for child processes: secrets are already gone. */
  childEnv: Readonly<Record<string, string>>;
  /** Hides secrets in what is shown and kept while a command still runs (its result is masked again as a whole). */
  mask?(text: string): string;
  /** Makes a picture fit to be sent and keeps it with the session; absent: the model takes no pictures. */
  takeImage?(bytes: Uint8Array): Promise<TakenImage>;
  /** The way to a person; it may lead to nobody. */
  ask: QuestionPort;
  tasks: TaskPort;
  agents: AgentPort;
  /** Whether a file that a call came upon may be read: rules may except some of what lies in an allowed directory. */
  mayRead(path: string): Promise<boolean>;
  /** Where a result too large to send may be kept; null: nowhere (no session directory). */
  spillDirectory: string | null;
};

export type ToolOutcome<R> = ({ value: R } | { error: ToolFailure }) & {
  observed: FileObservation[];
  events?: EventBody[];
  /** What becomes of the conversation once all results of the batch are written. */
  after?: { type: 'new-context' | 'facet'; facet: string };
  /** Absolute path of the file that holds the whole output. */
  spill?: string;
};

/** A tool of the engine. It knows no harness's words: names, schemas and texts are a face's. */
export interface Executor<A, R> {
  readonly name: string;
  readonly effect: Effect;
  /** Calls of one batch with the same word here run one after the other: each begins with what the one before left. */
  readonly inTurn?: string;
  /** What the call touches, paths absolute: judged before it runs. */
  subjects(args: A, cwd: string): Subject[];
  /** Never throws for what it finds: that is a ToolFailure. */
  run(args: A, context: ToolContext): Promise<ToolOutcome<R>>;
}

export type AnyExecutor = Executor<never, unknown>;
