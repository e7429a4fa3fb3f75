import { join } from 'node:path';
import { printable } from '../base/index.ts';
import type { DirectoryEntry } from '../host/index.ts';
import type { FoundFile, SourceQuery } from '../model/index.ts';
import { reportTooMany } from './candidates.ts';
import { DirectoryReport } from './directory-report.ts';
import { type DirectoryAnswer, DirectorySearch, isBehindLink, leadsOut } from './directory-search.ts';
import type { LookView } from './look-view.ts';
import type { Spot } from './places.ts';
import type { Owner } from './writable-by-others.ts';

/**
 * One query in every directory directly inside the spot's, by name: one answer, so that its row tells of all. `shadow`:
 * nothing is taken, since the search has ended there.
 */
export async function searchEach(
  query: SourceQuery,
  spot: Spot,
  view: LookView,
  owner: Owner,
  shadow: string | undefined,
): Promise<DirectoryAnswer> {
  const report = new DirectoryReport(spot.directory);
  const taken: FoundFile[] = [];
  for (const name of await directoriesIn(query, spot, view, report)) {
    const { each: _, optional: __, ...around } = spot;
    const search = new DirectorySearch(query, { ...around, directory: join(spot.directory, name) }, view, owner);
    const answer = await (shadow === undefined ? search.run() : search.runShadowed(shadow));
    taken.push(...answer.taken);
    report.clauses.push(...answer.clauses.map((clause) => `${printable(name)}/${clause}`));
    report.diagnostics.push(...answer.diagnostics);
    if (query.take === 'first' && taken.length > 0) break;
  }
  return { spot, taken, clauses: report.clauses, diagnostics: report.diagnostics };
}

async function directoriesIn(
  query: SourceQuery,
  spot: Spot,
  view: LookView,
  report: DirectoryReport,
): Promise<string[]> {
  if ((await view.stat(spot.directory)) === null || (await isBehindLink(query, spot, view, report))) return [];
  const part = await view.part(spot.directory, 'directories', isDirectoryOrLink);
  if ('fault' in part) {
    report.warn('unreadable', `cannot be listed: ${part.fault}: nothing in it is read`);
    return [];
  }
  reportTooMany(part, 'directories', report);
  const names: string[] = [];
  for (const { name, kind } of part.entries) {
    if (kind === 'directory' || (await isFollowed(name, query, spot, view, report))) names.push(name);
  }
  return names;
}

function isDirectoryOrLink({ kind }: DirectoryEntry): boolean {
  return kind === 'directory' || kind === 'link';
}

/** A link to a directory, where links are followed; told where they are not. */
async function isFollowed(
  name: string,
  query: SourceQuery,
  spot: Spot,
  view: LookView,
  report: DirectoryReport,
): Promise<boolean> {
  const path = join(spot.directory, name);
  if ((await view.facts(path))?.kind !== 'directory') return false;
  if (query.links !== 'skip') return !(await leadsOut(spot, path, view, report));
  const realPath = await view.realPath(path);
  const what = `is a link to ${printable(realPath)}: links are not followed here, as if absent`;
  report.tell('warning', 'link-skipped', name, what, { realPath });
  return false;
}
