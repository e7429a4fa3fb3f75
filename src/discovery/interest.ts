import { folded, isNearSpelling } from './spelling.ts';

/**
 * Which entries of a directory matter to any query asked so far. Listings are filtered by it, so that a directory of
 * 100,000 files is not kept in memory.
 */
export class Interest {
  readonly #names = new Set<string>();
  readonly #directories = new Set<string>();

  /** `names`: file names in any spelling. `directories`: names of which near spellings matter. True: something is new. */
  add(names: Iterable<string>, directories: Iterable<string>): boolean {
    const before = this.#names.size + this.#directories.size;
    for (const name of names) this.#names.add(folded(name));
    for (const name of directories) this.#directories.add(name);
    return this.#names.size + this.#directories.size > before;
  }

  holds(name: string): boolean {
    if (this.#names.has(folded(name))) return true;
    for (const directory of this.#directories) if (isNearSpelling(name, directory)) return true;
    return false;
  }
}
