import { relative } from 'node:path';
import { type Diagnostic, printable } from '../base/index.ts';
import type { FoundFile, Searched, SourceQuery } from '../model/index.ts';
import { type DirectoryAnswer, DirectorySearch } from './directory-search.ts';
import { searchEach } from './each-search.ts';
import { type Frame, frameFrom, isAbove } from './frame.ts';
import { hintsFor } from './hints.ts';
import type { LookView } from './look-view.ts';
import { projectDirectory, type Spot, samePlace, spotsOf, startOf } from './places.ts';
import type { Owner } from './writable-by-others.ts';

/** What one query found: its part of a World. */
export type Answer = {
  files: readonly FoundFile[];
  searched: readonly Searched[];
  diagnostics: readonly Diagnostic[];
};

/** `trusted`: a person trusts this project, so its links may lead out of it. */
export async function answerQuery(
  query: SourceQuery,
  frame: Frame,
  view: LookView,
  owner: Owner,
  trusted: boolean,
): Promise<Answer> {
  const own = frameFrom(startOf(query), frame);
  const spots = spotsOf(query, frame);
  const answers = new Map<Spot, DirectoryAnswer>();
  let first: FoundFile | undefined;
  const queryKey = JSON.stringify(query);
  for (const found of spots.searched) {
    const there = await firstThere(found, view);
    const spot = trusted ? there : confined(there, own);
    const shadow = first?.path;
    const key = `${queryKey}\0${JSON.stringify(spot)}\0${shadow ?? ''}`;
    const answer = await view.answer(key, () => {
      if (spot.each) return searchEach(query, spot, view, owner, shadow);
      const search = new DirectorySearch(query, spot, view, owner);
      return shadow === undefined ? search.run() : search.runShadowed(shadow);
    });
    answers.set(found, answer);
    if (query.take === 'first') first ??= answer.taken[0];
  }
  const listed = spots.listed.flatMap((spot) => answers.get(spot) ?? []);
  const settled = settle(query, [own, frame], listed);
  return {
    files: settled.flatMap((answer) => answer.taken),
    searched: settled.map((answer) => toRow(query, answer)),
    diagnostics: [
      ...spots.diagnostics,
      ...settled.flatMap((answer) => answer.diagnostics),
      ...settled.flatMap((answer) => answer.taken.flatMap((file) => leadsOutside(file, own))),
      ...(await hintsFor(query, frame, view, settled)),
    ],
  };
}

/** A spot with others in its stead at the first of them that is a directory. */
async function firstThere({ orElse, ...spot }: Spot, view: LookView): Promise<Spot> {
  if (orElse === undefined) return spot;
  for (const directory of [spot.directory, ...orElse]) {
    if ((await view.facts(directory))?.kind === 'directory') return { ...spot, directory, level: directory };
  }
  return spot;
}

/**
 * Leaves out what would be sent twice: the outer checkout's copies, and files already listed under another path.
 * `frames`: of where the session began and of where it works now, which may be a worktree that was entered since.
 */
function settle(query: SourceQuery, frames: readonly Frame[], answers: readonly DirectoryAnswer[]): DirectoryAnswer[] {
  const byDirectory = new Map(answers.map((answer) => [answer.spot.directory, answer]));
  const listedAs = new Map<string, string>();
  return answers.map((answer) => {
    const copy = frames.map((frame) => ownCopy(answer, frame, byDirectory)).find((file) => file !== null) ?? null;
    return copy === null ? withoutRepeats(query, answer, listedAs) : withoutCopies(answer, copy);
  });
}

/**
 * A linked worktree below its main checkout has its own copy of each tracked file, which would also be found on the way
 * up. Where both have one at the same place the worktree's is in force, whether or not they differ; what only the main
 * checkout has is inherited.
 */
function ownCopy(
  answer: DirectoryAnswer,
  frame: Frame,
  byDirectory: ReadonlyMap<string, DirectoryAnswer>,
): FoundFile | null {
  const { outer, git } = frame;
  const { level, directory } = answer.spot;
  if (outer?.kind !== 'worktree' || git === null || !isAbove(level, git.root)) return null;
  if (level !== outer.root && !isAbove(outer.root, level)) return null;
  return byDirectory.get(samePlace(directory, outer.root, git.root))?.taken[0] ?? null;
}

function withoutCopies(answer: DirectoryAnswer, copy: FoundFile): DirectoryAnswer {
  const diagnostics = answer.taken.map(
    (file): Diagnostic => ({
      severity: 'info',
      code: 'discovery/worktree-copy',
      message: `${printable(file.name)} of the main checkout is not sent: this worktree has its own at the same place`,
      path: file.path,
      data: { inForce: copy.path },
    }),
  );
  const clauses = answer.taken.map(
    (file) => `${printable(file.name)} of the main checkout left out for the worktree's own ${printable(copy.path)}`,
  );
  return { ...answer, taken: [], clauses: [...answer.clauses, ...clauses], diagnostics };
}

function withoutRepeats(query: SourceQuery, answer: DirectoryAnswer, listedAs: Map<string, string>): DirectoryAnswer {
  if (query.dedupe === 'none') return answer;
  const taken: FoundFile[] = [];
  const clauses: string[] = [];
  for (const file of answer.taken) {
    const earlier = listedAs.get(file.realPath);
    if (earlier === undefined) {
      listedAs.set(file.realPath, file.path);
      taken.push(file);
    } else {
      clauses.push(`${printable(file.name)} is the file already listed as ${printable(earlier)}`);
    }
  }
  return clauses.length === 0 ? answer : { ...answer, taken, clauses: [...answer.clauses, ...clauses] };
}

/**
 * Where links of a repository may lead until a person trusts it, or it alone would decide what of this machine is sent:
 * those of the project, and of the checkout around it, nowhere out of it; those of a directory that was entered into it
 * or the project. Directories above may be the user's own, and lead anywhere.
 */
function confined(spot: Spot, frame: Frame): Spot {
  const { level, scope, outside } = spot;
  const project = projectDirectory(frame);
  if (scope === 'project' || scope === 'directory') return { ...spot, reach: [project] };
  if (scope === 'extra' && outside) return { ...spot, reach: [project, level] };
  const { outer } = frame;
  return outer !== null && (level === outer.root || isAbove(outer.root, level))
    ? { ...spot, reach: [outer.root] }
    : spot;
}

/** A file of a trusted project whose text comes from elsewhere. */
function leadsOutside(file: FoundFile, frame: Frame): Diagnostic[] {
  const project = projectDirectory(frame);
  const isOwn = file.scope === 'project' || file.scope === 'directory';
  if (!isOwn || isAbove(project, file.realPath)) return [];
  return [
    {
      severity: 'warning',
      code: 'discovery/leads-outside',
      message: `${printable(file.name)} is a link out of the project: what is read is ${printable(file.realPath)}`,
      path: file.path,
      data: { realPath: file.realPath },
    },
  ];
}

// A directory of definitions holds many: those it took are named, and of what became of them this many clauses.
const MAX_CLAUSES = 8;

function toRow(query: SourceQuery, answer: DirectoryAnswer): Searched {
  const { directory, scope, file } = answer.spot;
  const looked = file === undefined ? query.names : [file];
  const took = answer.taken.map(({ path }) => below(directory, path));
  const clauses = [...took.map((name) => `${printable(name)} taken`), ...answer.clauses];
  return {
    kind: query.kind,
    directory,
    scope,
    looked,
    took: took.length === 0 ? null : took.join(', '),
    why: clauses.length === 0 ? nothingHere(query, answer.spot, looked) : sentence(query, answer.spot, clauses),
  };
}

/** `relative` splits both paths, which counts where every turn asks in many directories. */
function below(directory: string, path: string): string {
  return path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : relative(directory, path);
}

function sentence(query: SourceQuery, spot: Spot, clauses: readonly string[]): string {
  const mayBeLong = spot.each || query.match === 'suffix';
  if (!mayBeLong || clauses.length <= MAX_CLAUSES) return clauses.join('; ');
  return [...clauses.slice(0, MAX_CLAUSES), `and ${clauses.length - MAX_CLAUSES} more`].join('; ');
}

function nothingHere(query: SourceQuery, spot: Spot, looked: readonly string[]): string {
  const names = looked.join(', ');
  if (spot.file === undefined && query.match === 'suffix') return `no file that ends in ${names} here`;
  return spot.each ? `no ${names} in a directory here` : `no ${names} here`;
}
