import { join } from 'node:path';

/** A path as the model writes it: from the working directory where it lies below, else absolute; null: absolute. */
export function shownPath(root: string, path: string, cwd: string | null): string {
  const whole = path === '' ? root : join(root, path);
  if (cwd === null) return whole;
  if (whole === cwd) return '.';
  const prefix = cwd.endsWith('/') ? cwd : `${cwd}/`;
  return whole.startsWith(prefix) ? whole.slice(prefix.length) : whole;
}
