import type { Diagnostic } from '../base/index.ts';
import type { FilePort } from '../host/index.ts';
import type { Note } from '../model/index.ts';
import type { FileStorage } from './log-storage.ts';
import type { ReadLog } from './read-log.ts';

/**
 * What follows the last newline was never complete: it is kept in a file beside the log and cut off, so that the next
 * line is not glued to it. Returns what to tell, null where nothing was torn. Throws FileError where the fragment
 * cannot be kept, SessionError session/write-failed where it cannot be cut off: nothing is lost then.
 */
export async function cutTornEnd(
  storage: FileStorage,
  end: number,
  path: string,
  files: FilePort,
): Promise<Diagnostic | null> {
  const bytes = storage.size - end;
  if (bytes === 0) return null;
  const aside = await freeName(path.replace(/\.jsonl$/, '.torn-'), files);
  await files.writeWhole(aside, storage.read(end, storage.size), { mode: 0o600 });
  storage.truncate(end);
  return {
    severity: 'warning',
    code: 'session/torn-line',
    message: `the last line of the session's log was not complete; its ${bytes} bytes were moved to ${aside}`,
    path,
    data: { bytes, aside },
  };
}

async function freeName(prefix: string, files: FilePort): Promise<string> {
  for (let number = 1; ; number += 1) {
    const name = `${prefix}${number}`;
    if ((await files.lstat(name)) === null) return name;
  }
}

/** What a log's reader met beside whole lines. */
export function damageOf({ damaged, index }: ReadLog, path: string): Diagnostic[] {
  const found: Diagnostic[] = [];
  if (damaged > 0) {
    found.push({
      severity: 'warning',
      code: 'session/damaged-lines',
      message: `${damaged} line${damaged === 1 ? '' : 's'} of the session's log cannot be read and ${damaged === 1 ? 'is' : 'are'} left out`,
      path,
      data: { count: damaged },
    });
  }
  if (index.adopted > 0) {
    found.push({
      severity: 'warning',
      code: 'session/lost-parents',
      message: `${index.adopted} event${index.adopted === 1 ? '' : 's'} of the session's log name one that cannot be read; the one before takes its place`,
      path,
      data: { count: index.adopted },
    });
  }
  return found;
}

/** Whether the log already says so: damage stays, and is told once. */
export function isNoted(diagnostic: Diagnostic, notes: readonly Note[]): boolean {
  return notes.some(
    (note) =>
      note.type === 'notice' &&
      note.diagnostic.code === diagnostic.code &&
      note.diagnostic.data?.count === diagnostic.data?.count,
  );
}
