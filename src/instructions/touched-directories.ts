import { dirname } from 'node:path';
import { compareCodePoints } from '../base/index.ts';
import type { Batch, Delivery, FoundFile, SessionState, SourceQuery, World } from '../model/index.ts';
import { isBelow } from './references/reference-rules.ts';

/** `project`: the real path of the project root; outside a repository where the session began. */
export type TouchedView = { world: World; session: Pick<SessionState, 'header'>; project: string };

/** Directories searched after one batch; those of the earlier calls first. */
const MAX_DIRECTORIES = 64;

type Result = Batch['results'][number];

/** Where a path may have been worked in: a directory itself, and the one that it lies in. */
function startsOf({ touched, observed }: Result): string[] {
  const files = new Set(observed.filter(({ how }) => how !== 'listed').map(({ path }) => path));
  const paths = [...touched, ...observed.map(({ path }) => path)];
  // Whether an unobserved path is a directory is not known: the search finds nothing in a file.
  return paths.map((path) => (files.has(path) ? dirname(path) : path));
}

/** The directory and those around it below the project root, the outermost first. */
function levelsUpTo(project: string, directory: string): string[] {
  const levels: string[] = [];
  for (let at = directory; at !== project && isBelow(project, at); at = dirname(at)) levels.push(at);
  return levels.reverse();
}

/** Directories that the chain answers for: those it was looked for in, and the way up from where the session began. */
function chainDirectories({ world, session }: TouchedView): Set<string> {
  const searched = world.searched.filter(({ kind }) => kind === 'context-file').map(({ directory }) => directory);
  const directories = new Set([...searched, ...world.stack]);
  for (let at = world.stack[0] ?? session.header.cwd; ; at = dirname(at)) {
    directories.add(at);
    if (at === dirname(at)) break;
  }
  return directories;
}

function depthOf(path: string): number {
  return path.split('/').length;
}

function byDepth(left: string, right: string): number {
  return depthOf(left) - depthOf(right) || compareCodePoints(left, right);
}

function touchedDirectories(batch: Batch, view: TouchedView): string[] {
  const chain = chainDirectories(view);
  const directories = new Set<string>();
  for (const result of batch.results) {
    // What did not run has touched nothing; what failed may have failed for what the file would have said.
    if (result.status === 'denied' || result.status === 'aborted') continue;
    for (const start of startsOf(result)) {
      for (const directory of levelsUpTo(view.project, start)) {
        if (directories.size >= MAX_DIRECTORIES) return [...directories].sort(byDepth);
        if (!chain.has(directory)) directories.add(directory);
      }
    }
  }
  return [...directories].sort(byDepth);
}

/**
 * Where to look for instruction files after a batch (seed 004): the directories that it touched and those around them,
 * strictly inside the project and outside the chain, the outermost first. `rules`: how instruction files are looked
 * for. One query of kind 'discovered-file', or none where nothing was touched.
 */
export function touchedQueries(
  batch: Batch,
  view: TouchedView,
  rules: Omit<SourceQuery, 'kind' | 'places'>,
): SourceQuery[] {
  const directories = touchedDirectories(batch, view);
  if (directories.length === 0) return [];
  return [
    {
      ...rules,
      kind: 'discovered-file',
      places: directories.map((path) => ({ at: 'directory', path, scope: 'directory' })),
      order: 'listed',
      within: [view.project],
      refresh: 'request',
    },
  ];
}

/**
 * Those found files that are due now, the most general first: not of the chain, and not given before in this context,
 * by a reminder or by a complete read, that of this batch included.
 */
export function discovered(files: readonly FoundFile[], delivery: Delivery): FoundFile[] {
  const seen = new Set([...(delivery.chain ?? []), ...Object.keys(delivery.files)]);
  const due = files.filter(({ realPath }) => {
    if (seen.has(realPath)) return false;
    seen.add(realPath);
    return true;
  });
  return due.sort((left, right) => byDepth(left.directory, right.directory));
}
