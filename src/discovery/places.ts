import { dirname, join, relative } from 'node:path';
import { type Diagnostic, printable, unreachable } from '../base/index.ts';
import type { Place, Scope, SourceQuery } from '../model/index.ts';
import { type Frame, isAbove } from './frame.ts';

/** A directory to search for one query. */
export type Spot = {
  directory: string;
  /** The directory of the walk it stands for: `directory`, or the one above where the query looks `inside`. */
  level: string;
  scope: Scope;
  /** Not the user's own by position: above the project, or on the stack outside it. */
  outside: boolean;
};

export type Spots = {
  /** As the search goes: places as listed, a walk from the working directory outward. */
  searched: readonly Spot[];
  /** As `order` wants the files listed. */
  listed: readonly Spot[];
  diagnostics: readonly Diagnostic[];
};

// Deeper than any project; a path of the longest length the system takes could hold 2,000.
const MAX_LEVELS = 256;

export function spotsOf(query: SourceQuery, frame: Frame): Spots {
  const diagnostics: Diagnostic[] = [];
  const groups = query.places.map((place) => ({
    walk: place.at === 'walk',
    spots: spotsOfPlace(place, query, frame, diagnostics),
  }));
  const searched = groups.flatMap((group) => group.spots);
  const outermostFirst = groups.flatMap((group) => (group.walk ? group.spots.toReversed() : group.spots));
  const listed = {
    listed: searched,
    'outermost-first': outermostFirst,
    'innermost-first': outermostFirst.toReversed(),
  };
  return { searched, listed: listed[query.order], diagnostics };
}

function spotsOfPlace(place: Place, query: SourceQuery, frame: Frame, diagnostics: Diagnostic[]): Spot[] {
  switch (place.at) {
    case 'directory':
      return [{ directory: place.path, level: place.path, scope: place.scope, outside: false }];
    case 'file':
      return [{ directory: dirname(place.path), level: dirname(place.path), scope: place.scope, outside: false }];
    case 'project':
      return [projectSpot(place.inside, place.scope, frame)];
    case 'walk':
      return walk(place.to, frame, diagnostics).map((directory) => spotAt(directory, place.inside ?? '', frame));
    case 'stack':
      return stackSpots(query, frame);
    default:
      return unreachable(place);
  }
}

/** The project root; outside a repository the working directory. */
export function projectDirectory(frame: Frame): string {
  return frame.git?.root ?? frame.cwd;
}

/** The directories of a walk, the working directory first. */
export function walk(
  to: 'repository' | 'repository-or-here' | 'file-system',
  frame: Frame,
  diagnostics: Diagnostic[],
): string[] {
  if (to === 'repository-or-here' && frame.git === null) return [frame.cwd];
  const end = to === 'file-system' ? null : (frame.git?.root ?? null);
  const levels = [frame.cwd];
  for (let directory = frame.cwd; directory !== end && dirname(directory) !== directory; ) {
    directory = dirname(directory);
    levels.push(directory);
  }
  if (levels.length <= MAX_LEVELS) return levels;
  // The innermost, which say most about this place, and the outermost: in a repository that is its root.
  const kept = [...levels.slice(0, MAX_LEVELS - 1), ...levels.slice(-1)];
  diagnostics.push({
    severity: 'warning',
    code: 'discovery/too-deep',
    message:
      `${printable(frame.cwd)} is ${levels.length} directories deep: instruction files are looked for in the innermost ` +
      `${MAX_LEVELS - 1} and the outermost only`,
    path: frame.cwd,
    data: { levels: levels.length, searched: MAX_LEVELS },
  });
  return kept;
}

function spotAt(directory: string, inside: string, frame: Frame): Spot {
  const project = projectDirectory(frame);
  const outside = isAbove(directory, project);
  const scope = outside ? 'ancestor' : directory === project ? 'project' : 'directory';
  return { directory: join(directory, inside), level: directory, scope, outside };
}

function projectSpot(inside: string, scope: Scope, frame: Frame): Spot {
  const level = projectDirectory(frame);
  return { directory: join(level, inside), level, scope, outside: false };
}

function stackSpots(query: SourceQuery, frame: Frame): Spot[] {
  const walked = new Set<string>();
  for (const place of query.places) {
    if (place.at === 'walk') for (const directory of walk(place.to, frame, [])) walked.add(directory);
  }
  const project = projectDirectory(frame);
  return [...new Set(frame.stack)]
    .filter((directory) => !walked.has(directory))
    .map((directory): Spot => {
      if (directory === project) return { directory, level: directory, scope: 'project', outside: false };
      const inside = isAbove(project, directory);
      return { directory, level: directory, scope: inside ? 'directory' : 'extra', outside: !inside };
    });
}

/** `directory` relative to the checkout around it, at the same place in the one inside it. */
export function samePlace(directory: string, outerRoot: string, innerRoot: string): string {
  return join(innerRoot, relative(outerRoot, directory));
}
