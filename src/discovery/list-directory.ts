import { join } from 'node:path';
import { type DirectoryEntry, FileError, type FilePort } from '../host/index.ts';
import type { ListedDirectory, ListedEntry, Listing } from '../model/index.ts';

/** Directories on the first level that are looked into, the first by code point: more than any listing shows. */
const MOST_OPENED = 64;
/** Entries kept of one directory; the rest are counted. Directories come before files. */
const MOST_KEPT = 64;

/** Two levels of a directory, as its entries say what they are: a link is a file, whatever it leads to. */
export async function listDirectory(files: Pick<FilePort, 'list'>, directory: string): Promise<Listing> {
  const entries = await entriesIn(files, directory);
  if (entries === null) return { directory, root: null };
  const kept = keptOf(entries);
  let opened = 0;
  const listed: ListedEntry[] = [];
  for (const { name, kind } of kept) {
    if (kind !== 'directory') {
      listed.push({ name, directory: false });
      continue;
    }
    opened += 1;
    const inner = opened > MOST_OPENED ? [] : await entriesIn(files, join(directory, name));
    listed.push({ name, directory: true, children: inner === null ? 'unreadable' : listedIn(inner) });
  }
  return { directory, root: { entries: listed, total: entries.length } };
}

function listedIn(entries: readonly DirectoryEntry[]): ListedDirectory {
  const listed = keptOf(entries).map(({ name, kind }) => ({ name, directory: kind === 'directory' }));
  return { entries: listed, total: entries.length };
}

/** Directories first; the port gives them by code point. */
function keptOf(entries: readonly DirectoryEntry[]): DirectoryEntry[] {
  const directories = entries.filter(({ kind }) => kind === 'directory').slice(0, MOST_KEPT);
  return [...directories, ...entries.filter(({ kind }) => kind !== 'directory').slice(0, MOST_KEPT)];
}

async function entriesIn(files: Pick<FilePort, 'list'>, path: string): Promise<DirectoryEntry[] | null> {
  try {
    return await files.list(path);
  } catch (error) {
    if (error instanceof FileError) return null;
    throw error;
  }
}
