import { basename, join } from 'node:path';
import { compareCodePoints, cutHead, sha256 } from '../base/index.ts';
import type { FilePort } from '../host/index.ts';

/** Bytes of a directory's own name that are kept; the hash tells two of them apart. */
const NAME_BYTES = 80;
const ID = /^[0-9a-z]{1,64}$/;
const FILE = /^([0-9a-z]{1,64})\.jsonl$/;

/** Whether a text can be a session's id, and so a part of a path. */
export function isSessionId(text: string): boolean {
  return ID.test(text);
}

/**
 * The directory of the sessions of a working directory. Two directories never share one, however their names look: the
 * hash of the real path is part of it.
 */
export async function sessionsOf(cwd: string, directory: string, files: FilePort): Promise<string> {
  return sessionsOfReal((await files.realPath(cwd)) ?? cwd, directory);
}

/** The same where the path is known to hold no links. */
export function sessionsOfReal(real: string, directory: string): string {
  const name = cutHead(basename(real).replace(/[\u0000-\u001f\u007f]/g, '_'), NAME_BYTES);
  return join(directory, `${name === '' ? 'root' : name}-${sha256(real).slice(0, 16)}`);
}

export function logPath(sessions: string, id: string): string {
  return join(sessions, `${id}.jsonl`);
}

export function lockPath(log: string): string {
  return log.replace(/\.jsonl$/, '.lock');
}

export type StoredFile = { id: string; path: string };

/** The session files of one directory, by id; none where it is absent. Throws FileError. */
export async function filesIn(sessions: string, files: FilePort): Promise<StoredFile[]> {
  if ((await files.stat(sessions))?.kind !== 'directory') return [];
  const found: StoredFile[] = [];
  for (const { name, kind } of await files.list(sessions)) {
    const id = FILE.exec(name)?.[1];
    if (id !== undefined && kind === 'file') found.push({ id, path: join(sessions, name) });
  }
  return found.sort((left, right) => compareCodePoints(left.id, right.id));
}

/** The session files of all working directories. */
export async function allFiles(directory: string, files: FilePort): Promise<StoredFile[]> {
  if ((await files.stat(directory))?.kind !== 'directory') return [];
  const found: StoredFile[] = [];
  for (const { name, kind } of await files.list(directory)) {
    if (kind === 'directory') found.push(...(await filesIn(join(directory, name), files)));
  }
  return found;
}

/** The file of one session, in whichever working directory's place; null where there is none. */
export async function fileOf(id: string, directory: string, files: FilePort): Promise<StoredFile | null> {
  if ((await files.stat(directory))?.kind !== 'directory') return null;
  for (const { name, kind } of await files.list(directory)) {
    const path = logPath(join(directory, name), id);
    if (kind === 'directory' && (await files.stat(path))?.kind === 'file') return { id, path };
  }
  return null;
}
