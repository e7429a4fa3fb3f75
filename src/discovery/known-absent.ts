import type { FileFacts } from '../host/index.ts';
import { isCurrent, type Kept } from './current.ts';

/**
 * Names that were not in a directory. What is not there cannot come without the directory's own times changing, so one
 * question about the directory answers for all of them. A link to nothing is not absent: its target may come.
 */
export class KnownAbsent {
  readonly #directories = new Map<string, Kept & { names: Set<string> }>();

  has(directory: string, name: string): boolean {
    return this.#directories.get(directory)?.names.has(name) === true;
  }

  /** Whether it is absent still, in the directory that `facts` were just seen of. */
  holds(directory: string, name: string, facts: FileFacts): boolean {
    const known = this.#directories.get(directory);
    return known?.names.has(name) === true && isCurrent(known, facts);
  }

  /** `facts`: of the directory, seen before the name was looked for; `atMs`: when, at the latest. */
  add(directory: string, name: string, facts: FileFacts, atMs: number): void {
    const known = this.#directories.get(directory);
    if (known !== undefined && isCurrent(known, facts)) known.names.add(name);
    else this.#directories.set(directory, { facts, atMs, names: new Set([name]) });
  }

  clear(): void {
    this.#directories.clear();
  }
}
