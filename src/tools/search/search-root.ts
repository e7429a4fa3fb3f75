import { basename, dirname, join, resolve } from 'node:path';
import { FileError, type FilePort } from '../../host/index.ts';
import type { ToolFailure } from '../../model/index.ts';

/** Where a search begins, links resolved. A single file is searched as the only name of its directory. */
export type SearchRoot = { directory: string; file: string | null };

/** As far as the names are plain; the rest begins with the first name that has a wildcard. Empty: there is none. */
export type SplitPattern = { base: string; rest: string };

const WILDCARD = /[*?[{\\]/;

/** Null: it goes up after a wildcard, so that nobody could say beforehand where it leads. */
export function splitPattern(pattern: string): SplitPattern | null {
  const names = pattern.split('/');
  const found = names.findIndex((name) => WILDCARD.test(name));
  const first = found === -1 ? names.length : found;
  const rest = names.slice(first);
  if (rest.includes('..')) return null;
  const base = names.slice(0, first).join('/');
  return { base: pattern.startsWith('/') && base === '' ? '/' : base, rest: rest.join('/') };
}

/** The place a pattern's search begins at, absolute. Null: as for `splitPattern`. */
export function patternBase(pattern: string, path: string | undefined, cwd: string): string | null {
  const split = splitPattern(pattern);
  return split === null ? null : resolve(cwd, path ?? '.', split.base);
}

export async function openRoot(
  files: FilePort,
  path: string,
  tool: string,
): Promise<{ root: SearchRoot } | { error: ToolFailure }> {
  try {
    const real = await files.realPath(path);
    const facts = real === null ? null : await files.stat(real);
    if (real === null || facts === null) {
      return { error: { code: `${tool}/absent`, message: `${path} does not exist.`, data: { path } } };
    }
    if (facts.kind === 'directory') return { root: { directory: real, file: null } };
    if (facts.kind === 'file') return { root: { directory: dirname(real), file: basename(real) } };
    const message = `${path} is a ${facts.kind}, neither a file nor a directory.`;
    return { error: { code: `${tool}/not-regular`, message, data: { path, kind: facts.kind } } };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { error: { code: `${tool}/failed`, message: `${error.message}.`, data: error.data } };
  }
}

/** The directories from the repository's root down to this one, this one left out; none outside of a repository. */
export async function repositoryAncestors(files: FilePort, directory: string): Promise<readonly string[] | null> {
  const ancestors: string[] = [];
  for (let at = directory; ; at = dirname(at)) {
    if (at !== directory) ancestors.unshift(at);
    if (await holdsRepository(files, at)) return ancestors;
    if (dirname(at) === at) return null;
  }
}

async function holdsRepository(files: FilePort, directory: string): Promise<boolean> {
  try {
    return (await files.lstat(join(directory, '.git'))) !== null;
  } catch {
    // A directory that may not be looked into.
    return false;
  }
}
