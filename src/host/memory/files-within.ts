import { basename, dirname, join } from 'node:path';
import { FileError, type FilePort, isAtPlace, isOnTheWay, type RegularRead } from '../index.ts';

/** The door of `FilePort.within` over a port that nobody changes while it looks. */
export function filesWithin(files: FilePort, places: readonly string[]): FilePort {
  const check = (operation: string, path: string, real: string | null): void => {
    if (real !== null && !isAtPlace(real, places)) throw new FileError(operation, path, 'ELSEWHERE');
  };
  /** Where a name really stands, not followed. */
  const ofName = async (path: string): Promise<string | null> => {
    const parent = await files.realPath(dirname(path));
    return parent === null ? null : join(parent, basename(path));
  };
  return {
    within: (inner) => filesWithin(filesWithin(files, places), inner),
    stat: (path) => files.stat(path),
    lstat: (path) => files.lstat(path),
    realPath: (path) => files.realPath(path),
    readLink: (path) => files.readLink(path),
    async list(path) {
      const real = await files.realPath(path);
      if (real !== null && !isOnTheWay(real, places)) throw new FileError('list', path, 'ELSEWHERE');
      return files.list(path);
    },
    async readRegular(path, options): Promise<RegularRead> {
      const real = await files.realPath(path).catch(() => null);
      if (real === null || isAtPlace(real, places)) return files.readRegular(path, options);
      return { ok: false, why: 'unreadable', detail: new FileError('read', path, 'ELSEWHERE').reason };
    },
    async readRange(path, start, end) {
      check('read', path, await files.realPath(path));
      return files.readRange(path, start, end);
    },
    async writeWhole(path, bytes, options) {
      check('write', path, await ofName(path));
      return files.writeWhole(path, bytes, options);
    },
    async createExclusive(path, text, options) {
      check('create', path, await ofName(path));
      return files.createExclusive(path, text, options);
    },
    async openAppend(path, options) {
      check('open', path, await ofName(path));
      return files.openAppend(path, options);
    },
    async makeDirectory(path, options) {
      if (!isOnTheWay(await whereItWouldBe(files, path), places)) {
        throw new FileError('make the directory', path, 'ELSEWHERE');
      }
      return files.makeDirectory(path, options);
    },
    async remove(path) {
      check('remove', path, await ofName(path));
      return files.remove(path);
    },
  };
}

async function whereItWouldBe(files: FilePort, path: string): Promise<string> {
  const real = await files.realPath(path);
  if (real !== null || dirname(path) === path) return real ?? path;
  return join(await whereItWouldBe(files, dirname(path)), basename(path));
}
