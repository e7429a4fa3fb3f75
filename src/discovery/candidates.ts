import { join } from 'node:path';
import { compareCodePoints } from '../base/index.ts';
import type { DirectoryEntry } from '../host/index.ts';
import type { SourceQuery } from '../model/index.ts';
import type { DirectoryReport } from './directory-report.ts';
import type { ListedPart } from './file-memory.ts';
import { grouped } from './grouped.ts';
import type { LookView } from './look-view.ts';
import { folded } from './spelling.ts';

/** The names to try in a directory, in order of preference. `listed`: they are known to be there. */
export type Candidates = { names: readonly string[]; listed: boolean };

export async function candidatesIn(
  query: SourceQuery,
  directory: string,
  view: LookView,
  report: DirectoryReport,
): Promise<Candidates> {
  if (query.match === 'exact') return { names: query.names, listed: false };
  if (query.match === 'suffix')
    return { names: await namesEndingIn(query.names, directory, view, report), listed: true };
  const entries = await view.entries(directory);
  if ('fault' in entries) {
    // What cannot be listed can often be entered: the canonical spellings are still tried.
    report.warn('unreadable', `only the exact names are tried: ${entries.fault}`);
    return { names: query.names, listed: false };
  }
  return { names: query.names.flatMap((name) => spellingsOf(name, entries)), listed: true };
}

async function namesEndingIn(
  endings: readonly string[],
  directory: string,
  view: LookView,
  report: DirectoryReport,
): Promise<string[]> {
  const isWanted = ({ name, kind }: DirectoryEntry): boolean =>
    kind !== 'directory' && !name.startsWith('.') && endings.some((ending) => name.endsWith(ending));
  const part = await view.part(directory, `files ${JSON.stringify(endings)}`, isWanted);
  if ('fault' in part) {
    report.warn('unreadable', `cannot be listed: ${part.fault}: nothing in it is read`);
    return [];
  }
  reportTooMany(part, 'files', report);
  return part.entries.map((entry) => entry.name);
}

/** A warning where a directory holds more than is looked at. */
export function reportTooMany({ entries, total }: ListedPart, what: string, report: DirectoryReport): void {
  if (total <= entries.length) return;
  const message = `holds ${grouped(total)} ${what}: only the first ${entries.length} by name are looked at`;
  report.warn('too-many', message, { count: total, searched: entries.length });
}

function spellingsOf(name: string, entries: readonly { name: string }[]): string[] {
  const spellings = entries.map((entry) => entry.name).filter((entry) => folded(entry) === folded(name));
  return spellings.sort(
    (left, right) => Number(right === name) - Number(left === name) || compareCodePoints(left, right),
  );
}

/** Where no exact name was taken: what was probably meant, another letter case or a link to nothing. */
export async function reportMisses(
  query: SourceQuery,
  directory: string,
  view: LookView,
  report: DirectoryReport,
): Promise<void> {
  const entries = await view.entries(directory);
  if ('fault' in entries) return;
  for (const { name, kind } of entries) {
    const meant = query.names.find((candidate) => folded(candidate) === folded(name));
    if (meant === undefined || (kind !== 'file' && kind !== 'link')) continue;
    if (!query.names.includes(name)) {
      report.tell('info', 'near-miss', name, `is not read: the name must be spelled ${meant}`, { meant });
    } else if (kind === 'link' && (await view.stat(join(directory, name))) === null) {
      report.tell('warning', 'dangling-link', name, 'is a link to nothing: as if absent');
    }
  }
}
