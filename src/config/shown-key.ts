import { toJsonLine } from '../base/index.ts';

const MAX_SHOWN = 80;

/** A key for a message: dotted, on one line, not longer than a line should be. */
export function shownKey(path: readonly string[]): string {
  const plain = /^[\w-]+$/;
  const key = path.map((name) => (plain.test(name) ? name : toJsonLine(name))).join('.');
  return key.length <= MAX_SHOWN ? key : `${key.slice(0, MAX_SHOWN)}…`;
}
