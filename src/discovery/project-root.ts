import { dirname, join } from 'node:path';
import { FileError, type FileFacts, type FilePort } from '../host/index.ts';
import type { GitFacts } from '../model/index.ts';

export type ProjectRoot = GitFacts;

/**
 * The nearest directory at or above `cwd` that holds `.git`, as a directory or as a file (a linked worktree, a
 * submodule); only its existence is tested (seed 000, `spec/kli.md 1.5`). Null: there is none, or none that can be
 * seen. `cwd` is absolute; links in it are not resolved.
 */
export async function findProjectRoot(files: Pick<FilePort, 'stat'>, cwd: string): Promise<ProjectRoot | null> {
  for (let directory = cwd; ; directory = dirname(directory)) {
    const facts = await statOrNull(files, join(directory, '.git'));
    if (facts?.kind === 'directory') return { root: directory, kind: 'directory' };
    if (facts?.kind === 'file') return { root: directory, kind: 'worktree-file' };
    if (dirname(directory) === directory) return null;
  }
}

async function statOrNull(files: Pick<FilePort, 'stat'>, path: string): Promise<FileFacts | null> {
  try {
    return await files.stat(path);
  } catch (error) {
    if (error instanceof FileError) return null;
    throw error;
  }
}
