import { compileGlob, expandBraces } from './glob-pattern.ts';

/** Whether a search looks into a file. Without a slash a glob is about names at any depth. Null: no usable pattern. */
export function fileFilter(glob: string | undefined): ((path: string) => boolean) | null {
  if (glob === undefined) return () => true;
  const pattern = compileGlob(glob.includes('/') ? glob : `**/${glob}`);
  return pattern === null ? null : (path) => pattern.matches(path);
}

/** Patterns of names alone that every file of the glob has; none where the glob says nothing of names. */
export function nameGlobs(glob: string | undefined): string[] {
  if (glob === undefined) return [];
  const names = (expandBraces(glob) ?? []).map((one) => one.slice(one.lastIndexOf('/') + 1));
  return names.some((name) => name === '' || name === '**' || name === '*') ? [] : names;
}
