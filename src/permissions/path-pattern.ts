import { basename, resolve } from 'node:path';
import { matchWild, type Partly, readWild, STAR, type Wild } from './wild-match.ts';

/** Any number of directories, none included. */
const DEEP = 'deep';
type Segment = { wild: Wild; fixed: boolean } | typeof DEEP;

export type PathPattern = {
  segments: readonly Segment[];
  /** The last name is fixed: the pattern covers what lies below it too. */
  coversBelow: boolean;
  /** The directories and the name before the first wildcard. */
  fixedPart: string;
};

export type PatternBase = { cwd: string; home: string };

/**
 * `*` is any text within a name, `**` any number of directories. A relative pattern starts at the working directory,
 * `~/` at the home, `/` at the root. One that ends in a fixed name covers that file, or all below that directory.
 */
export function readPathPattern(pattern: string, { cwd, home }: PatternBase): PathPattern {
  const [base, rest] = baseOf(pattern, cwd, home);
  const own = namesOf(rest).map(toSegment);
  const segments = [...namesOf(base).map((name): Segment => ({ wild: [...name], fixed: true })), ...own];
  const last = segments.at(-1);
  const firstWild = segments.findIndex((segment) => segment === DEEP || !segment.fixed);
  const fixed = segments.slice(0, firstWild === -1 ? segments.length : firstWild);
  return {
    segments,
    coversBelow: last === undefined || (last !== DEEP && last.fixed),
    fixedPart: `/${fixed.map((segment) => (segment === DEEP ? '' : segment.wild.join(''))).join('/')}`,
  };
}

/** Whether an absolute path matches. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  return matchesNames(
    pattern,
    namesOf(resolve(path)).map((name) => [name]),
  );
}

/** Of names of which parts are not known: whether they match for some of what those could be. */
export function matchesNames({ segments, coversBelow }: PathPattern, names: readonly Partly[]): boolean {
  let places = reach(segments, new Set([0]));
  for (const name of names) {
    if (coversBelow && places.has(segments.length)) return true;
    const next = new Set<number>();
    for (const at of places) {
      const segment = segments[at];
      if (segment === DEEP) next.add(at);
      else if (segment !== undefined && matchWild(segment.wild, name) !== 'never') next.add(at + 1);
    }
    if (next.size === 0) return false;
    places = reach(segments, next);
  }
  return places.has(segments.length);
}

/** Whether a path could match of which parts are not known. Only how its last name ends can say that it does not. */
export function mayMatchPath({ segments, coversBelow }: PathPattern, chunks: Partly): boolean {
  const last = segments.at(-1);
  if (coversBelow || last === undefined || last === DEEP) return true;
  const unknown = chunks.lastIndexOf(null);
  const ending = chunks.slice(unknown + 1).join('');
  const name = ending.includes('/') || unknown === -1 ? [basename(ending)] : [null, ending];
  return matchWild(last.wild, name) !== 'never';
}

function baseOf(pattern: string, cwd: string, home: string): [base: string, rest: string] {
  if (pattern === '~' || pattern.startsWith('~/')) return [home, pattern.slice(1)];
  return pattern.startsWith('/') ? ['/', pattern] : [cwd, pattern];
}

function namesOf(path: string): string[] {
  return path.split('/').filter((name) => name !== '' && name !== '.');
}

function toSegment(name: string): Segment {
  if (name === '**') return DEEP;
  const wild = readWild(name);
  return { wild, fixed: !wild.includes(STAR) };
}

function reach(segments: readonly Segment[], places: ReadonlySet<number>): Set<number> {
  const all = new Set<number>();
  for (let at of places) {
    all.add(at);
    while (segments[at] === DEEP) {
      at += 1;
      all.add(at);
    }
  }
  return all;
}
