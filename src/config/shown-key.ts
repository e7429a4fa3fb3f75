import { toJsonLine } from '../base/index.ts';

const MAX_SHOWN = 80;

/** A key as `-c` takes it: dotted, on one line; a name of other than letters, digits, `_` and `-` in quotes. */
export function dottedKey(path: readonly string[]): string {
  const plain = /^[\w-]+$/;
  return path.map((name) => (plain.test(name) ? name : toJsonLine(name))).join('.');
}

/** The same for a message: not longer than a line should be. */
export function shownKey(path: readonly string[]): string {
  const key = dottedKey(path);
  return key.length <= MAX_SHOWN ? key : `${key.slice(0, MAX_SHOWN)}…`;
}
