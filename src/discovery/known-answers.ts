import type { FileFacts } from '../host/index.ts';
import { isCurrent } from './current.ts';
import type { DirectoryAnswer } from './directory-search.ts';
import type { LookView } from './look-view.ts';

/** What was asked of the disk for an answer; null: nothing was there. */
export type Asked = ReadonlyMap<string, FileFacts | null>;

type Known = {
  answer: DirectoryAnswer;
  asked: Asked;
  /** Where paths really led. */
  resolved: ReadonlyMap<string, string>;
  /** Before the first question. */
  atMs: number;
};

const MAX_ANSWERS = 4096;

/** Answers of single directories, each good for as long as all that it was judged by is as it was. */
export class KnownAnswers {
  readonly #answers = new Map<string, Known>();

  /** Null: there is none, or something has changed. */
  async find(key: string, view: LookView): Promise<DirectoryAnswer | null> {
    const known = this.#answers.get(key);
    if (known === undefined) return null;
    for (const [path, before] of known.asked) {
      const asked = view.stat(path);
      const now = asked instanceof Promise ? await asked : asked;
      const isSame =
        before === null
          ? now === null
          : now !== null && 'facts' in now && isCurrent({ facts: before, atMs: known.atMs }, now.facts);
      if (!isSame) return null;
    }
    for (const [path, before] of known.resolved) if ((await view.resolve(path)) !== before) return null;
    return known.answer;
  }

  keep(key: string, known: Known): void {
    if (this.#answers.size >= MAX_ANSWERS) this.#answers.clear();
    this.#answers.set(key, known);
  }

  clear(): void {
    this.#answers.clear();
  }
}
