import { closeSync, constants, fstatSync, mkdirSync, openSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FileError, isAtPlace, isOnTheWay } from '../index.ts';
import { systemCode } from './file-facts.ts';

/** The real paths that `FilePort.within` allows; null: no door. */
export type Door = readonly string[] | null;

const DIRECTORY_FLAGS: number = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NONBLOCK;
const isLinux: boolean = process.platform === 'linux';

/**
 * Where an open file really is. Linux says it of the descriptor itself; elsewhere the path is resolved once more and
 * must lead to the same file. Null where that cannot be told.
 */
function realPathOf(descriptor: number, path: string): string | null {
  const own = fstatSync(descriptor);
  if (isLinux) {
    const link = readlinkSync(`/proc/self/fd/${descriptor}`);
    // The system says so of a file that was replaced since: it was there when it was opened.
    return own.nlink === 0 ? link.replace(/ \(deleted\)$/, '') : link;
  }
  const real = realpathSync.native(path);
  const there = statSync(real);
  return there.dev === own.dev && there.ino === own.ino ? real : null;
}

/** Throws FileError where an open file is not behind the door. */
export function checkOpened(operation: string, path: string, descriptor: number, door: Door): void {
  if (door === null) return;
  const real = realPathOf(descriptor, path);
  if (real === null || !isAtPlace(real, door)) throw new FileError(operation, path, 'ELSEWHERE');
}

/** The same for a directory that is listed. */
export function checkListed(path: string, descriptor: number, door: readonly string[]): void {
  const real = realPathOf(descriptor, path);
  if (real === null || !isOnTheWay(real, door)) throw new FileError('list', path, 'ELSEWHERE');
}

/**
 * Works on a name in its directory, which is opened and judged first. The path given to `work` leads into that very
 * directory, whatever becomes of the names on the way to it (elsewhere than on Linux: to its real path).
 */
export function inDirectoryOf<T>(operation: string, path: string, door: Door, work: (path: string) => T): T {
  if (door === null) return work(path);
  const name = basename(path);
  const descriptor = openSync(dirname(path), DIRECTORY_FLAGS);
  try {
    const real = realPathOf(descriptor, dirname(path));
    if (real === null || !isAtPlace(join(real, name), door)) throw new FileError(operation, path, 'ELSEWHERE');
    return work(anchored(descriptor, real, name));
  } finally {
    closeSync(descriptor);
  }
}

/** A name in an open directory. */
export function anchored(descriptor: number, real: string, name: string): string {
  return isLinux ? `/proc/self/fd/${descriptor}/${name}` : join(real, name);
}

/** Makes a directory with its parents, step by step, each in the one that was made or found before it. */
export function makeDirectoriesWithin(path: string, mode: number, door: readonly string[]): void {
  const missing: string[] = [];
  let at = path;
  while (statSync(at, { throwIfNoEntry: false }) === undefined && dirname(at) !== at) {
    missing.unshift(basename(at));
    at = dirname(at);
  }
  if (missing.length === 0 && !statSync(at).isDirectory()) throw new FileError('make the directory', path, 'EEXIST');
  let descriptor = openSync(at, DIRECTORY_FLAGS);
  try {
    let real = realPathOf(descriptor, at);
    if (real === null || !isOnTheWay(join(real, ...missing), door)) {
      throw new FileError('make the directory', path, 'ELSEWHERE');
    }
    for (const name of missing) {
      const child = anchored(descriptor, real, name);
      makeOne(child, mode);
      const next = openSync(child, DIRECTORY_FLAGS | constants.O_NOFOLLOW);
      closeSync(descriptor);
      descriptor = next;
      real = join(real, name);
    }
  } finally {
    closeSync(descriptor);
  }
}

function makeOne(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    // Somebody was faster; what is there is opened next, and must be a directory.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
}
