import { parseJson } from '../base/index.ts';

/** A name in quotes, or one without a dot; then the dot or the end. */
const NAME = /("(?:[^"\\]|\\.)*"|[^."]+)(?:\.(?!$)|$)/y;

/**
 * The names of a dotted key: `providers."llama.cpp".retries`, as `dottedKey` writes it. A name with a dot or a quote in
 * it stands in quotes, as a JSON string. Null: no such key.
 */
export function splitKey(key: string): string[] | null {
  const names: string[] = [];
  NAME.lastIndex = 0;
  while (NAME.lastIndex < key.length) {
    const written = NAME.exec(key)?.[1];
    const name = written?.startsWith('"') === true ? parseJson(written) : written;
    if (typeof name !== 'string' || name === '') return null;
    names.push(name);
  }
  return names.length === 0 ? null : names;
}
