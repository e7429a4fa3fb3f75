export type SpawnSpec = {
  file: string;
  args: readonly string[];
  cwd: string;
  /** The whole environment of the child: nothing is inherited. */
  env: Readonly<Record<string, string>>;
  /**
   * One more variable of its environment, which all that it starts inherits: by it, what left the session is found
   * where the system shows environments (Linux). A daemon that clears or overwrites its environment
   * is not. A value may go on after a comma: marks nest.
   */
  mark?: { variable: string; value: string };
};

export type OutputChunk = { stream: 'stdout' | 'stderr'; bytes: Uint8Array };

export type ProcessExit = { code: number | null; signal: string | null };

export type LivingProcess = {
  pid: number;
  /** The program's name as the system has it, at most 15 bytes; a process may choose it. */
  name: string;
};

/** A process and all that came of it. */
export interface Family {
  /**
   * The whole group, and where the system tells it the whole session and what bears the mark; false: nothing was left
   * of them.
   */
  killGroup(signal: 'SIGTERM' | 'SIGKILL' | 'SIGINT'): boolean;
  /** Whether any process of the group is alive, or of the session, or one that bears the mark. */
  groupAlive(): boolean;
  /** These processes, in order of their numbers; empty where the system does not tell them. */
  living(): LivingProcess[];
}

/**
 * A child in a session of its own: no controlling terminal, stdin closed, leader of its process group, so that the
 * whole group can be killed and nothing it starts can ask a person at the terminal.
 */
export interface ChildProcess extends Family {
  readonly pid: number;
  /** As `ProcessIdentity` has it. */
  readonly startTime: string | null;
  /** Ends when both pipes are closed, or when `detachOutput` is called. */
  readonly output: AsyncIterable<OutputChunk>;
  /** Resolves when the child itself is gone, even while a grandchild still holds the pipes. */
  readonly exited: Promise<ProcessExit>;
  /**
   * Ends `output`, whoever still holds the pipes, and lets this process end without them. What is still written to
   * them is thrown away, so that a server that was started goes on; after a great deal of it they are closed.
   */
  detachOutput(): void;
}

/** What tells a process from a later one with the same number. Null where the system does not say. */
export type ProcessIdentity = {
  pid: number;
  bootId: string | null;
  startTime: string | null;
};

/** A family of an earlier run of the program. `leader`: null where only the mark is known. */
export type AdoptSpec = { leader: ProcessIdentity | null; mark: { variable: string; value: string } };

/** `rg`: ripgrep. */
export type PackagedProgram = 'rg';

export interface ProcessPort {
  /** Throws ProcessError when the program cannot be started. */
  spawn(spec: SpawnSpec): Promise<ChildProcess>;
  /** Absolute path of a program that a package of this installation brings; null where that package is not there. */
  packaged(program: PackagedProgram): Promise<string | null>;
  /** What is left of it: of the leader's group where that is surely the same process, and of what bears the mark. */
  adopt(spec: AdoptSpec): Promise<Family>;
  self(): Promise<ProcessIdentity>;
  /** Whether exactly that process is alive. In doubt (no permission to ask) it counts as alive. */
  isAlive(identity: ProcessIdentity): Promise<boolean>;
}
