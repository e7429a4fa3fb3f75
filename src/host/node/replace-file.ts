import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fchmodSync,
  fchownSync,
  fstatSync,
  lstatSync,
  openSync,
  renameSync,
  type Stats,
  unlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { FileError } from '../index.ts';
import { writeAll } from './node-append-handle.ts';

/**
 * Puts a file in place in one step: a reader sees the old bytes or the new ones, never a part. An existing file's
 * mode is kept, and its owner where the system allows it; hard links to it keep the old content. `mode` is for a
 * new file, the umask applies; `shown` names it in errors. Not synced to the disk: after a power cut the old file may be back.
 */
export function replaceFile(path: string, content: Uint8Array | string, mode: number, shown: string = path): void {
  const existing = lstatSync(path, { throwIfNoEntry: false });
  if (existing?.isDirectory()) throw new FileError('write', shown, 'EISDIR');
  if (existing !== undefined && !existing.isFile() && !existing.isSymbolicLink()) {
    throw new FileError('write', shown, 'EINVAL');
  }
  const kept = existing?.isFile() ? existing : undefined;
  const temporary = join(dirname(path), `.rein-${randomBytes(8).toString('hex')}.tmp`);
  const descriptor = openSync(temporary, 'wx', kept === undefined ? mode : 0o600);
  try {
    try {
      writeAll(descriptor, typeof content === 'string' ? Buffer.from(content, 'utf8') : content);
      if (kept !== undefined) adopt(descriptor, kept);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, path);
  } catch (error) {
    unlinkSync(temporary);
    throw error;
  }
}

function adopt(descriptor: number, kept: Stats): void {
  const own = fstatSync(descriptor);
  if (own.uid !== kept.uid || own.gid !== kept.gid) {
    try {
      fchownSync(descriptor, kept.uid, kept.gid);
    } catch {
      // Only root may give files away. The new file is then the writer's own, as with any editor that renames.
    }
  }
  fchmodSync(descriptor, kept.mode & 0o7777);
}
