// Arguments and results of the engine's executors, so that faces of every harness agree with them.
import type { Json, JsonSchema, Task, Todo } from '../../model/index.ts';
import type { AgentSpec } from './agent-port.ts';
import type { HandoffDecision, Question } from './question-port.ts';
import type { OutputWindow, TaskOutput } from './task-port.ts';

/** Executor `read`. Lines are 1-based. */
export type ReadArgs = {
  path: string;
  firstLine?: number;
  lineCount?: number;
  /** The face will show line numbers: the observation is `decorated`, and the value says so again. */
  numbers?: true;
  /** Instead of `firstLine`: begin that many lines before the end. */
  lastLines?: number;
  /**
   * Instead of the engine's own bounds: most lines, and lines up to the one with which they have so many bytes; of the
   * last lines the first ones are left out until they have no more. A longer line keeps so many characters, `...` and
   * its end among them.
   */
  bounds?: { lines: number; bytes: number; lineLength: number };
  /** A window behind the last line is an empty one, and no failure. */
  pastEnd?: 'empty';
  /** What it has to be; anything else, a directory too, is a failure. */
  only?: 'text' | 'picture';
  /** A file whose name says that it holds keys or passwords is refused. */
  withoutSecrets?: true;
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
      /** With `bounds`: the lines that were shortened, and which bound ended the window before it had what was asked for. */
      shortenedAt?: readonly number[];
      ended?: 'lines' | 'bytes' | null;
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

/**
 * Executor `edit`: all or nothing; each `old` must occur exactly once unless `all`, or `first`: of several the first one
 * is meant.
 */
export type EditArgs = {
  path: string;
  edits: { old: string; new: string; all?: boolean; first?: true }[];
  /** An edit whose `old` does not occur, or is its `new`, is passed over; that all are is a failure. */
  misses?: 'ignored';
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
export type WriteArgs = {
  path: string;
  content: string;
  /** Behind what is there, which need not have been read. */
  append?: true;
  /** The directory must be there already. */
  parent?: 'must-exist';
};
/** `size`: of the whole file, bytes. */
export type WriteValue = { path: string; created: boolean; size: number };

/** Executor `shell`. */
export type ShellArgs = {
  command: string;
  timeoutMs?: number;
  /** So much of the output's beginning is kept, instead of some of both ends; bytes. */
  headBytes?: number;
};
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
  /** Processes outlived the command. */
  leftRunning: boolean;
  /** Which, as far as the system tells them. */
  left: { pid: number; name: string }[];
};

/** Why a search or a listing ended before it had seen everything. */
export type SearchStop =
  /** As many results as were asked for, and there are more. */
  | 'limit'
  /** As much text as one result holds. */
  | 'size'
  | 'time'
  /** More entries, or more output of the search program, than are looked at. */
  | 'extent'
  | 'aborted';

/**
 * What was passed over, as far as that is known. Not the files that the permissions keep from the call: the number of
 * those with a match would tell their contents, pattern by pattern.
 */
export type SearchGaps = {
  /** Files and directories that could not be read. */
  unreadable: number;
};

/**
 * Executor `glob`: names below a directory, directory by directory, each in code point order. `.git` is never entered,
 * links to directories neither.
 */
export type GlobArgs = {
  /**
   * From `path`, or absolute. `*`, `?`, `[a-z]`, `{a,b}`, and `**` for any number of directories; `\` takes the next
   * character as it is. Without any of these: that file, or everything below that directory.
   */
  pattern: string;
  /** Default: the working directory. */
  path?: string;
  /** Instead of `path`: several, one after the other; what lies below two of them comes once. */
  paths?: readonly string[];
  /** Most paths in the result. */
  limit?: number;
  /** What `.gitignore` files leave out, too. */
  ignored?: true;
  /** Directories that match, too; `and-links`: links to directories, too, which are not entered. */
  directories?: true | 'and-links';
  /** Names come from `path`, which must be a directory, whatever plain names the pattern begins with. */
  fromPath?: true;
  /** Most text of the names, instead of what a result holds. */
  bytes?: number;
};
export type GlobValue = {
  /** The directory that was searched, absolute, links resolved. */
  root: string;
  /** Relative to `root`; empty: `root` itself. */
  entries: { path: string; directory: boolean }[];
  /** Matches that were found, shown or not. */
  total: number;
  stopped: SearchStop | null;
  gaps: SearchGaps;
};

/** Executor `grep`. The pattern is a regular expression, matched line by line unless `multiline`. */
export type GrepArgs = {
  pattern: string;
  /** A file or a directory; default: the working directory. */
  path?: string;
  /** Instead of `path`: several, one after the other; what lies below two of them comes once. */
  paths?: readonly string[];
  /** Only files with such names: as `glob` has them, from `path`; without a slash at any depth; `!` before it: all others. */
  glob?: string;
  ignoreCase?: true;
  /** Lines before and after each match, at most 50. */
  before?: number;
  after?: number;
  /** Default: content. */
  mode?: 'content' | 'files' | 'count';
  /** Most matching lines (content), or files. */
  limit?: number;
  /** `.` matches line ends too, and a match may span lines. */
  multiline?: true;
  ignored?: true;
  /** Longest line that is shown whole, characters; of a longer one that much around its first match. */
  lineLength?: number;
  /** Of a directory only files of this type, as ripgrep names them: `ts`, `py`. */
  type?: string;
  /** Files and directories of these names are passed over at any depth. */
  exclude?: readonly string[];
  /** Files (mode files) with the last change first, instead of by path. */
  newestFirst?: true;
  /** Files whose names say that they hold keys or passwords are left out, and named. */
  withoutSecrets?: true;
  /** Most text of rows and names, instead of what a result holds. */
  bytes?: number;
};
export type GrepRow = {
  line: number;
  match: boolean;
  text: string;
  /** Characters left out before and after `text`. */
  cut?: [before: number, after: number];
  /** Matches in the parts that were left out. */
  hidden?: number;
};
export type GrepFile = {
  /** Relative to `root`; empty: `root` itself. */
  path: string;
  /** Matching lines that are shown (content), matches (count), 0 (files). */
  count: number;
  rows: GrepRow[];
  /** It matches, and it is no text: its lines are not shown. */
  binary?: true;
  /** It matches in a line too long to be looked at. */
  overlong?: true;
};
export type GrepValue = {
  /** What was searched, absolute, links resolved. */
  root: string;
  mode: 'content' | 'files' | 'count';
  files: GrepFile[];
  stopped: SearchStop | null;
  gaps: SearchGaps;
  /** With `withoutSecrets`: the files with a match that were left out for their names, where there are some. */
  secrets?: readonly string[];
};

/** Executor `todo`: gives the list, puts another in its place, or changes one entry of it: one of these. */
export type TodoArgs = { items?: { title: string; status: Todo['status'] }[]; change?: TodoChange };
export type TodoChange =
  | { type: 'create'; title: string; status: Todo['status'] }
  | { type: 'update'; id: string; title?: string; status?: Todo['status'] }
  | { type: 'delete'; id: string };
/** `entry`: the one that a change was about, as it is now, or was where it was deleted. */
export type TodoValue = { items: readonly Todo[]; changed: boolean; entry?: Todo };

/** Executor `write_plan`: the whole document. */
export type WritePlanArgs = {
  text: string;
  /** Behind what the plan says now. */
  append?: true;
};
/** Executor `edit_plan`: all or nothing; each `old` must occur exactly once unless `all`. */
export type EditPlanArgs = {
  /** `first`: the first occurrence, however many there are. */
  edits: { old: string; new: string; all?: boolean; first?: true }[];
  /** ignored: an `old` that is not there is passed over, unless nothing changes. */
  misses?: 'ignored';
};
/** `path`: the file that a person can open; null: the session keeps no files. */
export type PlanValue = { path: string | null; lines: number; size: number; replacements: number | null };

/** Executor `plan_mode`. `options`: ways to carry the plan out; of two or more a person takes one. */
export type PlanModeArgs =
  | { action: 'enter' }
  | { action: 'leave'; options: readonly { label: string; description: string }[] };
export type PlanModeValue = {
  outcome: 'entered' | 'declined' | 'approved' | 'rejected' | 'left' | 'revise' | 'nobody' | 'dismissed';
  /** The plan's. */
  file: string;
  plan?: string;
  /** The way that was taken. */
  option?: string;
  /** What is to be different. */
  feedback?: string;
};

/** Executor `ask`: questions for a person, one after the other. */
export type AskArgs = { questions: Question[] };
export type AskValue = {
  /** Those that were answered, in order. */
  answers: { question: string; answer: string | readonly string[] }[];
  /** Why there are fewer answers than questions; null: there are not. */
  ended: 'nobody' | 'aborted' | null;
};

/** Executor `handoff`: asks a person whether the plan is to be carried out, in that facet. */
export type HandoffArgs = { facet: string };
export type HandoffValue = {
  /** Null: nobody was there to decide. */
  decision: HandoffDecision | 'aborted' | null;
  feedback?: string;
  facet: string;
  /** Of the plan; null: the session keeps no files. */
  path: string | null;
};

/** Executor `start`: a command that runs beside the conversation. `service`: it is not expected to end. */
export type StartArgs = { command: string; description: string; timeoutMs?: number; service?: true };
export type StartValue = { task: Task };

/** Executor `jobs`: what runs beside the conversation. */
export type JobsArgs =
  /** `all`: those that have ended, too. */
  | { action: 'list'; all?: true; limit?: number }
  | { action: 'show'; id: string; window: OutputWindow }
  | { action: 'wait'; ids: readonly string[]; until: 'any' | 'all'; timeoutMs: number; window: OutputWindow }
  | { action: 'stop'; id: string; reason?: string; window: OutputWindow };
/** `output`: null of a list, and of agents. */
export type JobShown = { task: Task; output: TaskOutput | null };
/** `waited`: how a wait ended. `total`: as many there are; `jobs` may be fewer. */
export type JobsValue = {
  action: JobsArgs['action'];
  jobs: readonly JobShown[];
  total: number;
  waited?: 'ended' | 'time' | 'aborted';
};

/** Executor `agent`: starts another agent. Paths in `cwd` may be relative to the caller's. */
export type AgentArgs = AgentSpec;
export type AgentValue = { task: Task; background: boolean };
/** Executor `message`: a word to a running agent. */
export type MessageArgs = { id: string; text: string };
export type MessageValue = { task: Task };
/** Executor `exit`: an agent gives its result, which must be what the schema says. */
export type ExitArgs = { value: Json; schema: JsonSchema };
export type ExitValue = { value: Json };

/** Executor `pushd`: makes that directory the working directory, on top of the ones before. */
export type PushdArgs = { path: string };
/** Executor `popd`: takes the top away. */
export type PopdArgs = { [field: string]: never };
/** Of both: the stack, bottom first, and its top. */
export type DirectoryValue = { stack: readonly string[]; cwd: string };

/** Executor `search_web`: `limit` results of 1 to 20, `content` with the text of their pages. */
export type SearchWebArgs = { query: string; limit: number; content: boolean };
/** Empty texts: the service said nothing of it. */
export type SearchWebValue = {
  results: { title: string; date: string; url: string; summary: string; content: string }[];
};

/** Executor `fetch`. */
export type FetchArgs = { url: string };
export type FetchValue =
  | {
      kind: 'page';
      /** The address that answered. */
      url: string;
      status: number;
      /** Lower case, without parameters; empty where the server named none. */
      mime: string;
      /** HTML as Markdown, anything else as it came. */
      text: string;
      converted: boolean;
      /** Bytes of `text` that were left out at its end. */
      droppedBytes: number;
      /** The server's answer went on beyond what is read of one. */
      cutShort: boolean;
    }
  /** It answered with another host's address, which was not asked for. */
  | { kind: 'elsewhere'; url: string; status: number; location: string };
