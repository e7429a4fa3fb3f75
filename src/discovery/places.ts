import { basename, dirname, join, relative } from 'node:path';
import { type Diagnostic, printable, unreachable } from '../base/index.ts';
import type { Place, Scope, SourceQuery } from '../model/index.ts';
import { type Frame, frameFrom, isAbove } from './frame.ts';

/** A directory to search for one query. */
export type Spot = {
  directory: string;
  /** The directory of the walk it stands for: `directory`, or the one above where the query looks `inside`. */
  level: string;
  scope: Scope;
  /** Not the user's own by position: above the project, or on the stack outside it. */
  outside: boolean;
  /** Often not there: asked about before anything in it. */
  optional?: true;
  /** The only name looked for. */
  file?: string;
  /** Not searched itself, but each directory directly in it. */
  each?: true;
  /** Where the directory is none: the first of these that is one. */
  orElse?: readonly string[];
  /** Real directories: what links lead to outside of them is not read. Absent: anywhere. */
  reach?: readonly string[];
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
      return [
        {
          ...ownSpot(place.path, place.path, place.scope),
          ...eachOf(place),
          ...(place.orElse === undefined ? {} : { orElse: place.orElse }),
        },
      ];
    case 'file': {
      const { optional: _, ...spot } = ownSpot(dirname(place.path), dirname(place.path), place.scope);
      return [{ ...spot, file: basename(place.path) }];
    }
    case 'project': {
      const level = projectDirectory(frameFrom(place.from, frame));
      return [{ ...ownSpot(join(level, place.inside), level, place.scope), ...eachOf(place) }];
    }
    case 'walk': {
      const own = frameFrom(place.from, frame);
      return walk(place.to, own, diagnostics).map((directory) => spotAt(directory, place.inside ?? '', own));
    }
    case 'stack':
      return stackSpots(query, frame);
    default:
      return unreachable(place);
  }
}

function ownSpot(directory: string, level: string, scope: Scope): Spot {
  return { directory, level, scope, outside: false, optional: true };
}

function eachOf(place: { each?: true }): { each?: true } {
  return place.each === undefined ? {} : { each: true };
}

/** Whether any place of the query takes the session's start for the working directory. */
export function startOf(query: SourceQuery): 'session-start' | undefined {
  return query.places.some((place) => 'from' in place && place.from !== undefined) ? 'session-start' : undefined;
}

/** Whether what a query finds has to do with the directory that is worked in now, and with the stack. */
export function looksFromHere({ places }: SourceQuery): boolean {
  return places.some((place) => {
    if (place.at === 'stack') return true;
    return (place.at === 'walk' || place.at === 'project') && place.from === undefined;
  });
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
  const spot = { directory: join(directory, inside), level: directory, scope, outside } as const;
  return inside === '' ? spot : { ...spot, optional: true };
}

function stackSpots(query: SourceQuery, frame: Frame): Spot[] {
  const walked = new Set<string>();
  for (const place of query.places) {
    if (place.at !== 'walk') continue;
    for (const directory of walk(place.to, frameFrom(place.from, frame), [])) walked.add(directory);
  }
  const project = projectDirectory(frameFrom(startOf(query), frame));
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
