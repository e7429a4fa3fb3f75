import type { Diagnostic } from '../base/index.ts';
import type { FrontMatter } from './front-matter.ts';
import type { Scope } from './piece.ts';

/** How often a source is looked at again. `once-per-session`: the first look holds for the conversation. */
export type Refresh = 'startup' | 'turn' | 'request' | 'once-per-session';

/**
 * Where to look. `inside` is a directory below each one found (`.kimi`).
 * - directory: this one, absolute. `orElse`: where it is none, the first of these that is one; an empty one is one.
 * - file: this one file, absolute; the query's `names` do not count.
 * - project: the project root, outside a repository the working directory. `reportNearer`: the same `inside` in a
 *   directory between the working directory and the root is named in a diagnostic, not read.
 * - walk: the working directory and its ancestors, up to the repository root (`to: 'repository'`, the whole chain
 *   where there is none; `'repository-or-here'`: only the working directory where there is none) or to the root of
 *   the file system. Scopes: above the root `ancestor`, the root `project`, below it `directory`.
 * - stack: the directories of the working-directory stack that no walk covers, bottom first.
 * `each`: not the directory itself is searched but every directory directly in it, by name (a bounded number).
 * `from: 'session-start'`: the bottom of the working-directory stack stands for the working directory, so that entering
 * another directory does not change what the project is.
 */
export type Place =
  | { at: 'directory'; path: string; orElse?: readonly string[]; scope: Scope; each?: true }
  | { at: 'file'; path: string; scope: Scope }
  | { at: 'project'; inside: string; scope: Scope; reportNearer: boolean; each?: true; from?: 'session-start' }
  | {
      at: 'walk';
      to: 'repository' | 'repository-or-here' | 'file-system';
      inside?: string;
      from?: 'session-start';
    }
  | { at: 'stack' };

export type SourceQuery = {
  /** Names the query in the world: `context-file`, `system-override`. */
  kind: string;
  /** Searched in this order; `order` says how the found files are listed. */
  places: readonly Place[];
  /** In order of preference. */
  names: readonly string[];
  /**
   * any-case: compared without letter case; the exact spelling is preferred, then code point order. suffix: `names` are
   * endings (`.md`), every file with one of them is a candidate, in code point order (a bounded number).
   */
  match: 'exact' | 'any-case' | 'suffix';
  order: 'outermost-first' | 'innermost-first' | 'listed';
  perDirectory: 'first' | 'all';
  /** first: the search ends with the first file taken. */
  take: 'all' | 'first';
  /** real-path: one file reached twice is listed at its first position only. */
  dedupe: 'real-path' | 'none';
  /** Bytes, inclusive. */
  cap: number;
  /** next-name: as if absent, the next name of the directory is tried. skip: the directory has none. path-only: listed
   * without its text. cut: the first `cap` bytes, whole characters. */
  overCap: 'next-name' | 'cut' | 'path-only' | 'skip';
  /** absent: the next name of the directory is tried. last: likewise, but where no other is taken it is listed. */
  blank: 'absent' | 'present' | 'last';
  /** sniff: byte order marks decide, invalid bytes become U+FFFD with a warning. strict: not UTF-8 is unreadable. */
  decode: 'sniff' | 'strict';
  /**
   * A file above the project root, or of a stack directory outside it, that others could have put there: it or its
   * directory is writable by group or all, or belongs to another user than this one and root. `skip`: as if absent.
   */
  writableByOthers: 'skip' | 'notice' | 'ignore';
  /**
   * A tiny file whose whole text is the name of a candidate beside it is a link that the checkout did not make. true:
   * that candidate is taken in its place. false: the text is taken as it is. Either way a diagnostic says so.
   */
  followStubs: boolean;
  /**
   * Symbolic links on the way from the place to the file, the file itself included. skip: as if absent, with a
   * diagnostic. Absent: followed.
   */
  links?: 'skip';
  /** Real directories: a file whose real path lies in none of them is not read, with a diagnostic. Absent: anywhere. */
  within?: readonly string[];
  /** The file's head is read as front matter: `FoundFile.frontMatter`. whole: the whole file, as YAML. */
  frontMatter?: true | 'whole';
  refresh: Refresh;
};

export type FoundFile = {
  /** The query's. */
  kind: string;
  /** Where it was looked for. */
  directory: string;
  name: string;
  /** `directory/name` as found. */
  path: string;
  realPath: string;
  scope: Scope;
  /** Decoded, without a byte order mark; empty for `path-only`. */
  text: string;
  /** Of the bytes read. */
  sha256: string;
  /** On disk, bytes. */
  size: number;
  mtimeMs: number;
  encoding: 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';
  status: 'read' | 'cut' | 'path-only';
  /** Bytes of text left out, for `cut`. */
  droppedBytes: number;
  /** Where the query asks for it; null: the text does not begin with front matter. */
  frontMatter?: FrontMatter | null;
};

/** One directory of one query: what was tried there, what was taken, and why. */
export type Searched = {
  kind: string;
  directory: string;
  scope: Scope;
  looked: readonly string[];
  took: string | null;
  why: string;
};

/** Two levels of the working directory; links are not followed. `root` is null where it cannot be read. */
export type Listing = { directory: string; root: ListedDirectory | null };

/** `children`: of a directory on the first level; `unreadable`: it cannot be listed. */
export type ListedEntry = { name: string; directory: boolean; children?: ListedDirectory | 'unreadable' };

/** `total` counts what the directory holds, where not every entry is here. */
export type ListedDirectory = { entries: readonly ListedEntry[]; total?: number };

export type GitFacts = { root: string; kind: 'directory' | 'worktree-file' };

/** What discovery saw: plain data with content hashes. */
export type World = {
  files: readonly FoundFile[];
  searched: readonly Searched[];
  diagnostics: readonly Diagnostic[];
  projectRoot: string | null;
  cwd: string;
  stack: readonly string[];
  listing?: Listing;
  platform: { os: string; shell: string; home: string };
  git: GitFacts | null;
};

/** What is asked of the disk, from where and why now. */
export type WorldLook = {
  /** The working directory is listed; absent: it is not. */
  listing?: true;
  queries: readonly SourceQuery[];
  /** Absolute. */
  cwd: string;
  /** The working-directory stack, bottom first. */
  stack: readonly string[];
  /**
   * A query whose `refresh` is slower than this is answered from the last look. `startup` looks at everything; a turn's
   * start re-reads `turn` and `request`; a later request of the turn only `request`.
   */
  moment: Exclude<Refresh, 'once-per-session'>;
};
