import { compileGlob, expandBraces } from './glob-pattern.ts';

/**
 * Whether a search looks into a file. Without a slash a glob is about names at any depth; `!` before it: into all others.
 * Null: no usable pattern.
 */
export function fileFilter(glob: string | undefined): ((path: string) => boolean) | null {
  if (glob === undefined) return () => true;
  const negated = glob.startsWith('!');
  const named = negated ? glob.slice(1) : glob;
  const pattern = compileGlob(named.includes('/') ? named : `**/${named}`);
  return pattern === null ? null : (path) => pattern.matches(path) !== negated;
}

/** Patterns of names alone that every file of the glob has; none where the glob says nothing of names. */
export function nameGlobs(glob: string | undefined): string[] {
  if (glob === undefined || glob.startsWith('!')) return [];
  const names = (expandBraces(glob) ?? []).map((one) => one.slice(one.lastIndexOf('/') + 1));
  return names.some((name) => name === '' || name === '**' || name === '*') ? [] : names;
}
