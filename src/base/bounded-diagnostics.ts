import type { Diagnostic } from './diagnostic.ts';

/** Of one kind; a repository can have faults by the thousand, and what matters must be found among them. */
const MOST = 16;

/**
 * Diagnostics to be told to a person as they come: the first of each kind (severity and code), in their order, and at the
 * end how many more of that kind there are.
 */
export function boundedDiagnostics(diagnostics: readonly Diagnostic[], most: number = MOST): Diagnostic[] {
  const kinds = new Map<string, { first: Diagnostic; count: number }>();
  const told = diagnostics.filter((diagnostic) => {
    const key = `${diagnostic.severity} ${diagnostic.code}`;
    const kind = kinds.get(key) ?? { first: diagnostic, count: 0 };
    kind.count += 1;
    kinds.set(key, kind);
    return kind.count <= most;
  });
  const more = [...kinds.values()].filter(({ count }) => count > most);
  return [...told, ...more.map(({ first, count }) => unlisted(first, count - most))];
}

function unlisted({ severity, code }: Diagnostic, count: number): Diagnostic {
  const message = `${count} more of this kind (${code}) are not shown; rein context lists them all`;
  return { severity, code: 'diagnostics/more', message, data: { code, count } };
}
