import { nearest } from '../base/index.ts';
import { lookUp } from './schema.ts';
import { shownKey } from './shown-key.ts';

/** Says that there is no such setting, and which was probably meant. */
export function unknownKeyMessage(path: readonly string[]): string {
  const word = path.at(-1) ?? '';
  const parent = path.slice(0, -1);
  const around = lookUp(parent);
  const names = around !== null && 'names' in around ? around.names : [];
  const near = nearest(word, names) ?? names.find((name) => name.startsWith(word) || word.startsWith(name));
  const hint = near === undefined ? '' : `; did you mean ${shownKey([...parent, near])}?`;
  return `there is no setting ${shownKey(path)}${hint}`;
}
