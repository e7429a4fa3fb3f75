import type { Diagnostic } from '../../base/index.ts';
import type { FoundFile, Scope } from '../../model/index.ts';

/**
 * The first files of each scope, in their order: however many one scope has, it takes no room from another, or a
 * repository could hide the user's own. `what`: in the plural, as in the codes: `facets/too-many`.
 */
export function boundedScopes(
  files: readonly FoundFile[],
  most: number,
  what: 'facets' | 'subagents' | 'skills',
): { files: FoundFile[]; diagnostics: Diagnostic[] } {
  const counts = new Map<Scope, number>();
  const kept = files.filter(({ scope }) => {
    const count = (counts.get(scope) ?? 0) + 1;
    counts.set(scope, count);
    return count <= most;
  });
  const over = [...counts].filter(([, count]) => count > most);
  const diagnostics = over.map(
    ([scope, count]): Diagnostic => ({
      severity: 'warning',
      code: `${what}/too-many`,
      message: `${count} ${what} (${scope}); the last ${count - most} are not read`,
    }),
  );
  return { files: kept, diagnostics };
}
