import { dirname, join } from 'node:path';
import { type Diagnostic, printable } from '../base/index.ts';
import type { Place, SourceQuery } from '../model/index.ts';
import type { DirectoryAnswer } from './directory-search.ts';
import { type Frame, frameFrom, isAbove, type OuterCheckout } from './frame.ts';
import type { LookView } from './look-view.ts';
import { projectDirectory, walk } from './places.ts';
import { isNearSpelling } from './spelling.ts';

type ProjectPlace = Extract<Place, { at: 'project' }>;
type WalkPlace = Extract<Place, { at: 'walk' }>;

const MAX_NEAR_DIRECTORIES = 8;

/** What lies near the places of a query and is not read: told, so that nobody wonders why. */
export async function hintsFor(
  query: SourceQuery,
  frame: Frame,
  view: LookView,
  answers: readonly DirectoryAnswer[],
): Promise<Diagnostic[]> {
  const hints: Diagnostic[] = [];
  for (const place of query.places) {
    if (place.at === 'project') {
      const own = frameFrom(place.from, frame);
      if (place.reportNearer) hints.push(...(await nearerDirectories(query, place, own, view)));
      const directory = join(projectDirectory(own), place.inside);
      const took = answers.some((answer) => answer.spot.directory === directory && answer.taken.length > 0);
      if (!took) hints.push(...(await nearSpellings(query, place, own, view)));
    }
    if (place.at === 'walk' && place.to !== 'file-system')
      hints.push(...(await outerFiles(query, place, frameFrom(place.from, frame), view)));
  }
  return hints;
}

/** The same directory closer to the working directory than the project root (requirement: named, not read). */
async function nearerDirectories(
  query: SourceQuery,
  place: ProjectPlace,
  frame: Frame,
  view: LookView,
): Promise<Diagnostic[]> {
  if (frame.git === null) return [];
  const hints: Diagnostic[] = [];
  const expected = join(frame.git.root, place.inside);
  for (const level of walk('repository', frame, [])) {
    if (level === frame.git.root) continue;
    const name = await whatIsIn(join(level, place.inside), query, place, view);
    if (name === null) continue;
    hints.push({
      severity: 'info',
      code: 'discovery/nearer-directory',
      message: `${name === '' ? place.inside : name} is not read here: only ${printable(expected)} counts for this project`,
      path: join(level, place.inside, name),
      data: { expected },
    });
  }
  return hints;
}

/** A misspelt configuration directory in the project that holds one of the names. */
async function nearSpellings(
  query: SourceQuery,
  place: ProjectPlace,
  frame: Frame,
  view: LookView,
): Promise<Diagnostic[]> {
  const meant = place.inside;
  if (meant === '' || meant.includes('/')) return [];
  const entries = await view.entries(projectDirectory(frame));
  if ('fault' in entries) return [];
  const near = entries.filter(
    (entry) => (entry.kind === 'directory' || entry.kind === 'link') && isNearSpelling(entry.name, meant),
  );
  const hints: Diagnostic[] = [];
  for (const entry of near.slice(0, MAX_NEAR_DIRECTORIES)) {
    const directory = join(projectDirectory(frame), entry.name);
    const name = await whatIsIn(directory, query, place, view);
    if (name === null) continue;
    hints.push({
      severity: 'info',
      code: 'discovery/near-directory',
      message: `${name === '' ? 'what is in it' : name} is not read: the directory is called ${printable(entry.name)}; did you mean ${meant}?`,
      path: join(directory, name),
      data: { meant },
    });
  }
  return hints;
}

/** Where the walk ends at a linked worktree or a submodule: the files of the checkout around it. */
async function outerFiles(query: SourceQuery, place: WalkPlace, frame: Frame, view: LookView): Promise<Diagnostic[]> {
  const { git, outer } = frame;
  if (git === null || outer === null) return [];
  const hints: Diagnostic[] = [];
  for (const level of walk('file-system', { ...frame, cwd: dirname(git.root) }, [])) {
    if (level !== outer.root && !isAbove(outer.root, level)) break;
    const directory = join(level, place.inside ?? '');
    const name = await firstRegular(query.names, directory, view);
    if (name === null) continue;
    hints.push({
      severity: 'info',
      code: 'discovery/outside-repository',
      message: `${name} was found but not sent: ${whyOuter(outer)}, and the search ends at ${printable(git.root)}`,
      path: join(directory, name),
      data: { root: git.root, outer: outer.root },
    });
  }
  return hints;
}

function whyOuter(outer: OuterCheckout): string {
  if (outer.kind === 'worktree') return 'it belongs to the main checkout around this worktree';
  return `it belongs to the repository around this submodule (started in ${printable(outer.root)} it is sent)`;
}

/** The file that is meant; where they are not known by name the directory itself, as ''; null: nothing is there. */
async function whatIsIn(
  directory: string,
  query: SourceQuery,
  place: ProjectPlace,
  view: LookView,
): Promise<string | null> {
  if (!place.each && query.match !== 'suffix') return await firstRegular(query.names, directory, view);
  return (await view.facts(directory))?.kind === 'directory' ? '' : null;
}

async function firstRegular(names: readonly string[], directory: string, view: LookView): Promise<string | null> {
  // Mostly there is no such directory: one question then answers for all names, of all queries.
  if ((await view.stat(directory)) === null) return null;
  for (const name of names) if (await view.isRegular(join(directory, name))) return name;
  return null;
}
