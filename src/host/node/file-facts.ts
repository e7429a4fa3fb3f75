import type { Dirent, Stats } from 'node:fs';
import { FileError, type FileFacts, type FileKind } from '../index.ts';

/** What `Stats` and `Dirent` agree on. */
export function fileKind(entry: Stats | Dirent): FileKind {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'link';
  if (entry.isFIFO()) return 'fifo';
  if (entry.isSocket()) return 'socket';
  return entry.isBlockDevice() || entry.isCharacterDevice() ? 'device' : 'other';
}

export function fileFacts(stats: Stats): FileFacts {
  return {
    kind: fileKind(stats),
    size: stats.size,
    mtimeMs: stats.mtimeMs,
    ctimeMs: stats.ctimeMs,
    mode: stats.mode & 0o7777,
    uid: stats.uid,
    device: stats.dev,
    inode: stats.ino,
  };
}

/** The system's word for what went wrong. Node's own refusals (a NUL in a path) have no such word: EINVAL. */
export function systemCode(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' && /^E[A-Z0-9]+$/.test(code) ? code : 'EINVAL';
}

/** The file, or a directory on the way to it, is not there. */
export function isAbsence(code: string): boolean {
  return code === 'ENOENT' || code === 'ENOTDIR';
}

export function toFileError(operation: string, path: string, error: unknown): FileError {
  return FileError.isInstance(error) && error instanceof FileError
    ? error
    : new FileError(operation, path, systemCode(error), error);
}
