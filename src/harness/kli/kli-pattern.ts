/**
 * kli's patterns (spec/kli.md 12.1) as the engine has them: only `*` is a wildcard, `**` only as a whole name, and as
 * the last name it stands for one name.
 */
export function enginePattern(pattern: string): string {
  const literal = pattern.replace(/[\\?[\]{}]/g, '\\$&');
  return literal.replace(/(^|\/)\*\*$/, '$1*');
}

/** A path with wildcards as where it begins and what lies below; without one, no pattern. */
export function splitPath(path: string): { base: string; pattern: string | null } {
  const names = path.split('/');
  const first = names.findIndex((name) => name.includes('*'));
  if (first === -1) return { base: path, pattern: null };
  const base = names.slice(0, first).join('/');
  const root = path.startsWith('/') ? '/' : '.';
  return { base: base === '' ? root : base, pattern: names.slice(first).join('/') };
}
