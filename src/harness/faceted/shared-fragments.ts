import { basename, dirname, join } from 'node:path';
import type { Definition } from '../../instructions/index.ts';

type Place = Pick<Definition, 'file'>;

/** Where the fragments of a template lie: beside it. Null: it is shipped. */
export function fragmentRoot({ file }: Place): string | null {
  return file === null ? null : dirname(file.realPath);
}

/**
 * Where the facets of the same place keep their fragments: a subagent may transclude the same ones (row P47), by the same
 * words. Null: it has none but its own.
 */
export function facetRoot(role: Place): string | null {
  const root = fragmentRoot(role);
  return root === null || basename(root) !== 'subagents' ? null : join(dirname(root), 'facets');
}

/** The same file below the other directory; null: it does not lie below the first. */
export function movedBelow(path: string, from: string | null, to: string | null): string | null {
  if (from === null || to === null || !path.startsWith(`${from}/`)) return null;
  return join(to, path.slice(from.length + 1));
}
