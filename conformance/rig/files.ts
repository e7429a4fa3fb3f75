import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file's text or bytes, or a link to `link` (as written), or a file with permission bits. */
export type Entry = string | Uint8Array | { link: string } | { text: string; mode: number };

/**
 * Paths below the project, or below the home with `~/`; one that ends in `/` is a directory (its value is null, or
 * its permission bits).
 */
export type Tree = Readonly<Record<string, Entry | { mode: number } | null>>;

export type Folders = { root: string; home: string; project: string };

export function locate(folders: Folders, path: string): string {
  return path.startsWith('~/') ? join(folders.home, path.slice(2)) : join(folders.project, path);
}

export function writeEntry(path: string, entry: Tree[string] | undefined): void {
  if (entry === undefined || entry === null || path.endsWith('/')) {
    mkdirSync(path, { recursive: true });
    if (entry !== null && typeof entry === 'object' && 'mode' in entry) chmodSync(path, entry.mode);
    return;
  }
  mkdirSync(dirname(path), { recursive: true });
  rmSync(path, { force: true });
  if (typeof entry === 'string' || entry instanceof Uint8Array) writeFileSync(path, entry);
  else if ('link' in entry) symlinkSync(entry.link, path);
  else if ('text' in entry) {
    writeFileSync(path, entry.text);
    chmodSync(path, entry.mode);
  }
}

/** Directories last, so that permission bits do not hinder what goes inside. */
export function writeTree(folders: Folders, tree: Tree): void {
  const entries = Object.entries(tree).sort(
    ([left], [right]) => Number(left.endsWith('/')) - Number(right.endsWith('/')),
  );
  for (const [path, entry] of entries) writeEntry(locate(folders, path), entry);
}
