import { closeSync, constants, fstatSync, ftruncateSync, openSync, readSync, writeSync } from 'node:fs';
import { type AppendHandle, FileError } from '../index.ts';
import { toFileError } from './file-facts.ts';

/**
 * Opens a regular file for appending and reading. A link is not followed, a FIFO is not waited for. `path` names it in
 * errors.
 */
export function openAppendHandle(
  at: string,
  options: { mode: number; create: boolean },
  path: string = at,
): AppendHandle {
  const { O_RDWR, O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_NOCTTY } = constants;
  const flags = O_RDWR | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | (options.create ? O_CREAT : 0);
  const descriptor = attempt('open', path, () => openSync(at, flags, options.mode));
  if (!fstatSync(descriptor).isFile()) {
    closeSync(descriptor);
    throw new FileError('open', path, 'EINVAL');
  }
  return handleOf(descriptor, path);
}

function handleOf(descriptor: number, path: string): AppendHandle {
  let open = true;
  return {
    write(text) {
      const bytes = Buffer.from(text, 'utf8');
      attempt('write', path, () => writeAll(descriptor, bytes));
    },
    size: () => attempt('stat', path, () => fstatSync(descriptor).size),
    truncate(size) {
      attempt('truncate', path, () => ftruncateSync(descriptor, size));
    },
    read: (start, end) => attempt('read', path, () => readSpan(descriptor, start, end)),
    close() {
      if (open) closeSync(descriptor);
      open = false;
    },
  };
}

/** Writes until nothing is left: the system may take less than it was given. */
export function writeAll(descriptor: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(descriptor, bytes, done);
}

/** Bytes [start, end) of an open file, less where it ends sooner. Memory is taken for what is there, not for `end`. */
export function readSpan(descriptor: number, start: number, end: number): Uint8Array {
  const available = Math.min(end, fstatSync(descriptor).size) - start;
  const buffer = Buffer.allocUnsafeSlow(Math.max(0, available));
  let done = 0;
  while (done < buffer.length) {
    const count = readSync(descriptor, buffer, done, buffer.length - done, start + done);
    if (count === 0) break;
    done += count;
  }
  return done === buffer.length ? buffer : buffer.subarray(0, done);
}

function attempt<T>(operation: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileError(operation, path, error);
  }
}
