import { nearest } from '../base/index.ts';
import { lookUp } from './schema.ts';
import { shownKey } from './shown-key.ts';

/** More than any setting has, with some dots in its names. */
const MAX_NAMES = 12;

/** Says that there is no such setting, and which was probably meant. */
export function unknownKeyMessage(path: readonly string[]): string {
  const word = path.at(-1) ?? '';
  const parent = path.slice(0, -1);
  const around = lookUp(parent);
  const names = around !== null && 'names' in around ? around.names : [];
  const near = nearest(word, names) ?? names.find((name) => name.startsWith(word) || word.startsWith(name));
  const meant = near === undefined ? quoted(path) : [...parent, near];
  const hint = meant === null ? '' : `; did you mean ${shownKey(meant)}?`;
  return `there is no setting ${shownKey(path)}${hint}`;
}

/**
 * With names in a row taken for one that has dots in it, as in `providers.llama.cpp.retries`; null: no setting either.
 * A name that is itself a key there is none of them.
 */
function quoted(path: readonly string[]): readonly string[] | null {
  if (path.length > MAX_NAMES) return null;
  for (let from = 1; from < path.length - 1; from += 1) {
    const around = lookUp(path.slice(0, from + 1));
    const keys = around !== null && 'names' in around ? around.names : [];
    for (let to = from + 2; to < path.length && !keys.includes(path[to - 1] ?? ''); to += 1) {
      const joined = [...path.slice(0, from), path.slice(from, to).join('.'), ...path.slice(to)];
      if (lookUp(joined) !== null) return joined;
    }
  }
  return null;
}
