import { FileError } from '../host/index.ts';
import type { Header } from '../model/index.ts';
import { FileStorage, type LogStorage, MemoryStorage } from './log-storage.ts';
import { SessionError } from './session-error.ts';
import { type LockHost, type SessionLock, takeLock } from './session-lock.ts';
import { lockPath, logPath, type StoredFile, sessionsOf } from './session-places.ts';

/** A file that is open, and its lock. */
export type LockedFile = { path: string; storage: FileStorage; lock: SessionLock };

/** A log that may not be opened for writing is held in memory while it is read; a larger one is refused. */
const MAX_READ_ONLY_BYTES = 512 * 1024 * 1024;
const PRIVATE_FILE = 0o600;
const PRIVATE_DIRECTORY = 0o700;

/** Makes a session's file, empty, with its lock. Throws SessionError session/write-failed. */
export async function makeFile(header: Header, directory: string, host: LockHost): Promise<LockedFile> {
  const { files } = host;
  try {
    const sessions = await sessionsOf(header.cwd, directory, files);
    const path = logPath(sessions, header.id);
    await files.makeDirectory(sessions, { mode: PRIVATE_DIRECTORY });
    const lock = await takeLock(lockPath(path), header.id, host);
    try {
      if (!(await files.createExclusive(path, '', { mode: PRIVATE_FILE }))) {
        throw new SessionError('session/write-failed', `${path} is there already`, { data: { path } });
      }
      const handle = await files.openAppend(path, { mode: PRIVATE_FILE, create: false });
      return { path, storage: new FileStorage(handle, path), lock };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw explain(
      error,
      'session/write-failed',
      `session ${header.id} cannot be kept`,
      '; to run without a log: --no-session',
    );
  }
}

/** Opens a stored session for appending, locked. Throws SessionError session/locked, session/unreadable. */
export async function openFile({ id, path }: StoredFile, host: LockHost): Promise<LockedFile> {
  try {
    const lock = await takeLock(lockPath(path), id, host);
    try {
      const handle = await host.files.openAppend(path, { mode: PRIVATE_FILE, create: false });
      return { path, storage: new FileStorage(handle, path), lock };
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw explain(error, 'session/unreadable', `session ${id} cannot be opened`);
  }
}

/** Opens a stored session for reading, whoever else has it open. Throws SessionError session/unreadable. */
export async function openForReading({ id, path }: StoredFile, { files }: LockHost): Promise<LogStorage> {
  try {
    return new FileStorage(await files.openAppend(path, { mode: PRIVATE_FILE, create: false }), path);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    // It may be readable all the same: another user's, or on a read-only file system.
    const read = await files.readRegular(path, { maxBytes: MAX_READ_ONLY_BYTES });
    if (read.ok) return new MemoryStorage(read.bytes);
    throw new SessionError('session/unreadable', `session ${id} cannot be read: ${read.detail}`, {
      data: { session: id, path },
      cause: error,
    });
  }
}

function explain(error: unknown, code: string, what: string, hint = ''): unknown {
  if (!(error instanceof FileError)) return error;
  return new SessionError(code, `${what}: ${error.message}${hint}`, { data: { ...error.data }, cause: error });
}
