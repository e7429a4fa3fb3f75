// Arguments and results of the engine's executors, so that faces of every harness agree with them.

/** Executor `read`. Lines are 1-based. */
export type ReadArgs = {
  path: string;
  firstLine?: number;
  lineCount?: number;
  /** The face will show line numbers: the observation is `decorated`, and the value says so again. */
  numbers?: true;
};
export type ReadValue =
  | {
      kind: 'text';
      path: string;
      /** Exactly these lines of the file, line ends as in the file; a line over the limit is shortened and marked. */
      text: string;
      firstLine: number;
      lastLine: number;
      totalLines: number;
      /** The file's own text, unshortened, from its first line to its last. */
      complete: boolean;
      shortenedLines: number;
      encoding: 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';
      numbers?: true;
    }
  /** `why`: of a picture that could not be made fit to be sent. */
  | { kind: 'binary'; path: string; size: number; mime: string | null; why?: string }
  /** A picture that the session keeps under `sha256`, for the model to see; `was` before it was made smaller. */
  | {
      kind: 'image';
      path: string;
      size: number;
      mime: string;
      sha256: string;
      width: number;
      height: number;
      was: { width: number; height: number } | null;
    }
  | {
      kind: 'directory';
      path: string;
      entries: { name: string; directory: boolean }[];
      total: number;
    };

/** Executor `edit`: all or nothing; each `old` must occur exactly once unless `all`. */
export type EditArgs = {
  path: string;
  edits: { old: string; new: string; all?: boolean }[];
};
export type EditValue = {
  path: string;
  replacements: number;
  firstLine: number;
  lastLine: number;
  sizeBefore: number;
  sizeAfter: number;
};

/** Executor `write`. */
export type WriteArgs = { path: string; content: string };
export type WriteValue = { path: string; created: boolean; size: number };

/** Executor `shell`. */
export type ShellArgs = { command: string; timeoutMs?: number };
export type ShellValue = {
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  aborted: boolean;
  durationMs: number;
  /** stdout and stderr as they came, without escapes; the middle is missing where `droppedBytes` > 0. */
  head: string;
  tail: string;
  droppedBytes: number;
  /** Processes that outlived the command. */
  leftRunning: boolean;
};
