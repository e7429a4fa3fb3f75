import { nearest } from '../../base/index.ts';
import { type Located, scriptError } from './located.ts';
import type { TextMatch } from './script.ts';

/** Reads values of a script; each function throws UsageError at the value's place where it is of another kind. */
export class FieldReader {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  /** The mapping's values, after a check that it has no other keys. `what` names it: `a reply`. */
  map<K extends string>(located: Located, what: string, keys: readonly K[]): Partial<Record<K, Located>> {
    if (located.kind !== 'map') throw this.error(located, `${what} must be a mapping of ${keys.join(', ')}`);
    const values: Partial<Record<K, Located>> = {};
    for (const [key, entry] of located.entries) {
      const known = keys.find((candidate) => candidate === key);
      if (known === undefined) {
        const near = nearest(key, keys);
        const advice = near === undefined ? `known are ${keys.join(', ')}` : `did you mean "${near}"?`;
        throw scriptError(this.path, entry.at, `${what} has no "${key}": ${advice}`);
      }
      values[known] = entry.value;
    }
    return values;
  }

  text(located: Located, what: string): string {
    if (located.kind === 'scalar' && typeof located.value === 'string') return located.value;
    throw this.error(located, `${what} must be text${located.kind === 'scalar' ? ' (put it in quotes)' : ''}`);
  }

  /** A whole number of `least` or more. */
  count(located: Located, what: string, least: number): number {
    const value = located.kind === 'scalar' ? located.value : undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    throw this.error(located, `${what} must be a whole number of ${least} or more`);
  }

  flag(located: Located, what: string): boolean {
    if (located.kind === 'scalar' && typeof located.value === 'boolean') return located.value;
    throw this.error(located, `${what} must be true or false`);
  }

  word<W extends string>(located: Located, what: string, words: readonly W[]): W {
    const text = this.text(located, what);
    const known = words.find((word) => word === text);
    if (known !== undefined) return known;
    const near = nearest(text, words);
    const advice = near === undefined ? '' : `; did you mean "${near}"?`;
    throw this.error(located, `${what} must be one of ${words.join(', ')}, not "${text}"${advice}`);
  }

  /** Text is a substring; `/…/` with the flags i, m, s, u after it is a pattern. */
  match(located: Located, what: string): TextMatch {
    const text = this.text(located, what);
    const pattern = /^\/(.+)\/([imsu]*)$/s.exec(text);
    if (pattern === null) return text;
    try {
      return new RegExp(pattern[1] ?? '', pattern[2]);
    } catch (error) {
      throw this.error(located, `${what}: ${error instanceof Error ? error.message : 'no valid pattern'}`);
    }
  }

  list(located: Located, what: string): readonly Located[] {
    if (located.kind === 'list') return located.items;
    throw this.error(located, `${what} must be a list`);
  }

  /** One or several. */
  some<T>(located: Located, read: (item: Located) => T): T[] {
    return located.kind === 'list' ? located.items.map(read) : [read(located)];
  }

  error(located: Located, what: string): Error {
    return scriptError(this.path, located.at, what);
  }
}
