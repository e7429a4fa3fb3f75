import { dirname, join } from 'node:path';
import { FileError, type FilePort } from '../host/index.ts';
import { SessionError } from './session-error.ts';
import { type LockHost, takeLock } from './session-lock.ts';
import { lockPath, type StoredFile } from './session-places.ts';

/** Directories in directories of a session's files. */
const MAX_DEPTH = 16;

/**
 * Removes a session's log and all that lies beside it: kept outputs, torn lines, the table of lines. Under its lock, so
 * that nobody loses a session that is open. Returns what was removed, the log first. Throws SessionError session/locked,
 * session/write-failed.
 */
export async function removeSession({ id, path }: StoredFile, host: LockHost): Promise<string[]> {
  const { files } = host;
  try {
    const lock = await takeLock(lockPath(path), id, host);
    try {
      const removed: string[] = [];
      const directory = dirname(path);
      const beside = (await files.list(directory)).filter(({ name }) => isBeside(name, id));
      for (const one of [path, ...beside.map(({ name }) => join(directory, name))]) {
        await removeTree(one, files, MAX_DEPTH);
        removed.push(one);
      }
      return removed;
    } finally {
      await lock.release();
    }
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    throw new SessionError('session/write-failed', `session ${id} cannot be deleted: ${error.message}`, {
      data: { ...error.data },
      cause: error,
    });
  }
}

function isBeside(name: string, id: string): boolean {
  if (!name.startsWith(`${id}.`)) return false;
  const rest = name.slice(id.length + 1);
  return rest === 'files' || rest === 'lines' || /^torn-\d+$/.test(rest);
}

/** Links are removed, never followed. */
async function removeTree(path: string, files: FilePort, depth: number): Promise<void> {
  const facts = await files.lstat(path);
  if (facts?.kind === 'directory' && depth > 0) {
    for (const { name } of await files.list(path)) await removeTree(join(path, name), files, depth - 1);
  }
  await files.remove(path);
}
