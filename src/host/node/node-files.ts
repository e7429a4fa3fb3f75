import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { compareCodePoints } from '../../base/index.ts';
import { type DirectoryEntry, FileError, type FilePort, isAtPlace, type RegularRead } from '../index.ts';
import { anchored, checkListed, checkOpened, type Door, inDirectoryOf, makeDirectoriesWithin } from './door.ts';
import { fileFacts, fileKind, isAbsence, systemCode, toFileError } from './file-facts.ts';
import { openAppendHandle, readSpan, writeAll } from './node-append-handle.ts';
import { replaceFile } from './replace-file.ts';

const READ_FLAGS: number = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOCTTY;

/** Null where the thing is absent. */
function unlessAbsent<T>(operation: string, path: string, work: () => T): T | null {
  try {
    return work();
  } catch (error) {
    if (isAbsence(systemCode(error))) return null;
    throw toFileError(operation, path, error);
  }
}

function orFileError<T>(operation: string, path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw toFileError(operation, path, error);
  }
}

function factsOrNull(operation: string, path: string, look: (path: string) => Stats | undefined) {
  const stats = unlessAbsent(operation, path, () => look(path));
  return stats === null || stats === undefined ? null : fileFacts(stats);
}

/** All of an open file, or null when there are more than `maxBytes`, also where it grows under the reader. */
function readUpTo(descriptor: number, sizeHint: number, maxBytes: number): Uint8Array | null {
  let buffer = Buffer.allocUnsafeSlow(Math.min(sizeHint, maxBytes) + 1);
  let done = 0;
  for (;;) {
    const count = readSync(descriptor, buffer, done, buffer.length - done, null);
    if (count === 0) return buffer.subarray(0, done);
    done += count;
    if (done > maxBytes) return null;
    if (done === buffer.length) {
      const larger = Buffer.allocUnsafeSlow(Math.min(done * 2 + 4096, maxBytes + 1));
      buffer.copy(larger);
      buffer = larger;
    }
  }
}

function readOpened(descriptor: number, maxBytes: number): RegularRead {
  const stats = fstatSync(descriptor);
  const facts = fileFacts(stats);
  if (!stats.isFile()) return { ok: false, why: 'not-regular', facts, detail: `it is a ${facts.kind}` };
  const bytes = stats.size > maxBytes ? null : readUpTo(descriptor, stats.size, maxBytes);
  if (bytes !== null) return { ok: true, bytes, facts };
  return { ok: false, why: 'too-large', facts, detail: `over ${maxBytes} bytes` };
}

function isLink(path: string): boolean {
  try {
    return lstatSync(path).isSymbolicLink();
  } catch {
    return false;
  }
}

function readRegular(path: string, maxBytes: number, followLast: boolean, door: Door): RegularRead {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(path, followLast ? READ_FLAGS : READ_FLAGS | constants.O_NOFOLLOW);
    checkOpened('read', path, descriptor, door);
    return readOpened(descriptor, maxBytes);
  } catch (error) {
    const code = error instanceof FileError ? error.systemCode : systemCode(error);
    const { reason } = new FileError('read', path, code);
    if (isAbsence(code)) return { ok: false, why: 'absent', detail: reason };
    if (code === 'ENXIO') return { ok: false, why: 'not-regular', detail: 'it is a socket or a device' };
    if (!followLast && code === 'ELOOP' && isLink(path))
      return { ok: false, why: 'not-regular', detail: 'it is a link' };
    return { ok: false, why: 'unreadable', detail: reason };
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function readRange(path: string, start: number, end: number, door: Door): Uint8Array {
  const descriptor = openSync(path, READ_FLAGS);
  try {
    checkOpened('read', path, descriptor, door);
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new FileError('read', path, stats.isDirectory() ? 'EISDIR' : 'EINVAL');
    return readSpan(descriptor, start, end);
  } finally {
    closeSync(descriptor);
  }
}

function listDirectory(path: string, door: Door): DirectoryEntry[] {
  if (door === null) return entriesOf(path);
  const descriptor = openSync(path, READ_FLAGS | constants.O_DIRECTORY);
  try {
    checkListed(path, descriptor, door);
    return entriesOf(anchored(descriptor, path, ''));
  } finally {
    closeSync(descriptor);
  }
}

function entriesOf(path: string): DirectoryEntry[] {
  return readdirSync(path, { withFileTypes: true })
    .map((entry) => ({ name: entry.name, kind: fileKind(entry) }))
    .sort((left, right) => compareCodePoints(left.name, right.name));
}

function createExclusive(path: string, text: string, mode: number): boolean {
  let descriptor: number;
  try {
    descriptor = openSync(path, 'wx', mode);
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw error;
  }
  try {
    writeAll(descriptor, Buffer.from(text, 'utf8'));
  } finally {
    closeSync(descriptor);
  }
  return true;
}

/** With its parents. Not Node's own: that tries for ever where the system makes no directories, as in `/proc`. */
function makeDirectories(path: string, mode: number): void {
  if (madeOrThere(path, mode)) return;
  const parent = dirname(path);
  if (parent !== path) makeDirectories(parent, mode);
  mkdirSync(path, mode);
}

/** False where its parent is missing. Throws what else prevents it. */
function madeOrThere(path: string, mode: number): boolean {
  try {
    mkdirSync(path, mode);
    return true;
  } catch (error) {
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return true;
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function remove(path: string): void {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (stats?.isDirectory()) rmdirSync(path);
  else if (stats !== undefined) unlinkSync(path);
}

/**
 * The disk. Calls are synchronous inside: for the small files of this program that is several times faster than the
 * thread pool, and none of them waits for another process (FIFOs and devices are opened without blocking).
 */
export function createNodeFiles(): FilePort {
  return filesBehind(null);
}

function filesBehind(door: Door): FilePort {
  return {
    within: (places) => filesBehind(door === null ? places : places.filter((place) => isAtPlace(place, door))),
    stat: async (path) => factsOrNull('stat', path, (at) => statSync(at, { throwIfNoEntry: false })),
    lstat: async (path) => factsOrNull('stat', path, (at) => lstatSync(at, { throwIfNoEntry: false })),
    realPath: async (path) => unlessAbsent('resolve', path, () => realpathSync.native(path)),
    readLink: async (path) => unlessAbsent('read the link', path, () => (isLink(path) ? readlinkSync(path) : null)),
    list: async (path) => orFileError('list', path, () => listDirectory(path, door)),
    readRegular: async (path, options) => readRegular(path, options.maxBytes, options.followLast ?? true, door),
    readRange: async (path, start, end) => orFileError('read', path, () => readRange(path, start, end, door)),
    writeWhole: async (path, bytes, options) =>
      orFileError('write', path, () =>
        inDirectoryOf('write', path, door, (at) => replaceFile(at, bytes, options?.mode ?? 0o666, path)),
      ),
    createExclusive: async (path, text, options) =>
      orFileError('create', path, () =>
        inDirectoryOf('create', path, door, (at) => createExclusive(at, text, options?.mode ?? 0o666)),
      ),
    openAppend: async (path, options) =>
      orFileError('open', path, () => inDirectoryOf('open', path, door, (at) => openAppendHandle(at, options, path))),
    makeDirectory: async (path, options) => {
      const mode = options?.mode ?? 0o777;
      orFileError('make the directory', path, () => {
        if (door === null) makeDirectories(path, mode);
        else makeDirectoriesWithin(path, mode, door);
      });
    },
    remove: async (path) => {
      unlessAbsent('remove', path, () => inDirectoryOf('remove', path, door, remove));
    },
  };
}
