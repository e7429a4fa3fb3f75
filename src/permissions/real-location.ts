import { basename, dirname, join, resolve } from 'node:path';
import type { FilePort } from '../host/index.ts';

// As the system: more links than this on one way are a loop.
const MAX_LINKS = 40;

/**
 * Where a path leads with every link resolved, also one whose target does not exist yet: a file to be created is
 * where its nearest existing directory really is. Null where that cannot be told (a loop of links, a directory that
 * may not be searched).
 */
export async function realLocation(files: FilePort, path: string): Promise<string | null> {
  const missing: string[] = [];
  let at = resolve(path);
  try {
    for (let links = 0; links <= MAX_LINKS; ) {
      const real = await files.realPath(at);
      if (real !== null) return join(real, ...missing);
      const target = await files.readLink(at);
      if (target !== null) {
        links += 1;
        // Relative to where the link really is, which is not always where its path says.
        at = resolve((await realLocation(files, dirname(at))) ?? '/', target);
      } else {
        if (dirname(at) === at) return null;
        missing.unshift(basename(at));
        at = dirname(at);
      }
    }
  } catch {
    return null;
  }
  return null;
}

/** Whether a real path is this real directory or lies below it. */
export function isInside(path: string, directory: string): boolean {
  return path === directory || path.startsWith(directory.endsWith('/') ? directory : `${directory}/`);
}
