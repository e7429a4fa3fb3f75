import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { FilePort } from '../host/index.ts';
import type { GitFacts } from '../model/index.ts';
import { orFault } from './fault.ts';
import type { LookView } from './look-view.ts';
import { findProjectRoot } from './project-root.ts';

/** The checkout around a linked worktree or a submodule. */
export type OuterCheckout = { kind: 'worktree' | 'submodule'; root: string };

/** A directory that is worked in, and the project around it. */
type Base = {
  cwd: string;
  git: GitFacts | null;
  /** Null: the repository is not inside another one's checkout. */
  outer: OuterCheckout | null;
};

/** Where a look stands. All paths are real ones. */
export type Frame = Base & {
  stack: readonly string[];
  /** Where the session began, the bottom of the stack; null: that is the working directory, or nobody asks. */
  start: Base | null;
};

const MAX_STACK = 64;
const MAX_GIT_FILE_BYTES = 8192;

export async function findFrame(
  files: FilePort,
  view: LookView,
  cwd: string,
  stack: readonly string[],
  asksForStart: boolean,
): Promise<Frame> {
  const here = await realDirectory(files, cwd);
  const directories: string[] = [];
  for (const directory of stack.slice(-MAX_STACK)) {
    directories.push(directory === cwd ? here : await realDirectory(files, directory));
  }
  const bottom = asksForStart && stack[0] !== undefined ? await realDirectory(files, stack[0]) : here;
  const start = bottom === here ? null : await baseAt(files, view, bottom);
  return { ...(await baseAt(files, view, here)), stack: directories, start };
}

/** The frame of a place or a query: where it says so, the session's start stands for the working directory. */
export function frameFrom(from: 'session-start' | undefined, frame: Frame): Frame {
  return from === undefined || frame.start === null ? frame : { ...frame, ...frame.start };
}

async function baseAt(files: FilePort, view: LookView, cwd: string): Promise<Base> {
  const git = await findProjectRoot({ stat: (path) => view.facts(path) }, cwd);
  const outer = git?.kind === 'worktree-file' ? await findOuter(files, view, git.root) : null;
  return { cwd, git, outer };
}

async function realDirectory(files: FilePort, path: string): Promise<string> {
  const real = await orFault(files.realPath(path));
  return 'fault' in real ? resolve(path) : (real.value ?? resolve(path));
}

// A linked worktree's `.git` file points into `<checkout>/.git/worktrees/`, a submodule's into `<checkout>/.git/modules/`.
async function findOuter(files: FilePort, view: LookView, root: string): Promise<OuterCheckout | null> {
  const path = join(root, '.git');
  const seen = await view.stat(path);
  if (seen === null || 'fault' in seen || seen.facts.kind !== 'file' || seen.facts.size > MAX_GIT_FILE_BYTES)
    return null;
  const content = await view.content(path, seen.facts, MAX_GIT_FILE_BYTES, 'strict');
  if ('fault' in content || content.decoded === null) return null;
  const told = /^gitdir: (.+?)\r?\n?$/.exec(content.decoded.text)?.[1];
  if (told === undefined) return null;
  const match = /^(.+)\/\.git\/(worktrees|modules)\/./.exec(isAbsolute(told) ? resolve(told) : resolve(root, told));
  const [, checkout, kind] = match ?? [];
  if (checkout === undefined) return null;
  const outer = await realDirectory(files, checkout);
  if (!isAbove(outer, root)) return null;
  return { kind: kind === 'worktrees' ? 'worktree' : 'submodule', root: outer };
}

/** Whether `upper` is an ancestor of `lower`; a directory is not its own. */
export function isAbove(upper: string, lower: string): boolean {
  return upper !== lower && (upper === dirname(upper) || lower.startsWith(`${upper}/`));
}
