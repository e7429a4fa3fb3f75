import type { DirectoryEntry, FileFacts, FilePort } from '../host/index.ts';
import type { FrontMatter } from '../model/index.ts';
import type { Decoded, DecodeMode } from './decode.ts';
import type { DirectoryAnswer } from './directory-search.ts';
import { type Fault, orFault } from './fault.ts';
import type { Content, FileMemory, ListedPart } from './file-memory.ts';

/** What stands at a path, links followed; null: nothing. */
export type Seen = { facts: FileFacts } | Fault | null;

/** The disk during one look: whoever asks, a path is asked for once, so that all queries see the same moment. */
export class LookView {
  readonly #files: FilePort;
  readonly #memory: FileMemory;
  readonly #seen = new Map<string, Seen>();
  readonly #contents = new Map<string, Content | Fault>();
  readonly #real = new Map<string, string | null>();
  readonly #parts = new Map<string, ListedPart | Fault>();
  readonly #listed = new Map<string, readonly DirectoryEntry[] | Fault>();
  /** What the search that runs has asked for; `isWhole`: all of it can be compared later. */
  #trace: { paths: Set<string>; real: Set<string>; isWhole: boolean } | null = null;

  constructor(files: FilePort, memory: FileMemory) {
    this.#files = files;
    this.#memory = memory;
  }

  /**
   * The answer of one directory, from memory where all that it was judged by is as it was. One at a time: what is asked
   * while `search` runs counts as asked for it.
   */
  async answer(key: string, search: () => Promise<DirectoryAnswer>): Promise<DirectoryAnswer> {
    const known = await this.#memory.answers.find(key, this);
    if (known !== null) return known;
    const atMs = this.#memory.nowMs();
    this.#trace = { paths: new Set(), real: new Set(), isWhole: true };
    const answer = await search();
    const { paths, real, isWhole } = this.#trace;
    this.#trace = null;
    const asked = new Map<string, FileFacts | null>();
    for (const path of paths) {
      const seen = await this.stat(path);
      // What could not be seen, or was asked another way, cannot be compared later.
      if (!isWhole || (seen !== null && 'fault' in seen)) return answer;
      asked.set(path, seen?.facts ?? null);
    }
    const resolved = new Map<string, string>();
    for (const path of real) {
      const where = await this.resolve(path);
      if (where === null) return answer;
      resolved.set(path, where);
    }
    this.#memory.answers.keep(key, { answer, asked, resolved, atMs });
    return answer;
  }

  stat(path: string): Promise<Seen> | Seen {
    this.#trace?.paths.add(path);
    const known = this.#seen.get(path);
    if (known !== undefined) return known;
    const slash = path.lastIndexOf('/');
    const directory = slash < 1 ? '/' : path.slice(0, slash);
    const name = path.slice(slash + 1);
    if (!this.#memory.wasAbsent(directory, name)) return this.#keep(path, this.#ask(path, directory, name));
    const around = this.#seen.get(directory);
    // Mostly the directory was asked about just before: then nothing has to be waited for.
    if (around !== undefined && this.#isStillAbsent(directory, name, around)) return null;
    return this.#keep(path, this.#askAgain(path, directory, name));
  }

  async #keep(path: string, asked: Promise<Seen>): Promise<Seen> {
    const seen = await asked;
    this.#seen.set(path, seen);
    return seen;
  }

  async #askAgain(path: string, directory: string, name: string): Promise<Seen> {
    const around = await this.stat(directory);
    return this.#isStillAbsent(directory, name, around) ? null : await this.#ask(path, directory, name);
  }

  #isStillAbsent(directory: string, name: string, around: Seen): boolean {
    if (around === null) return true;
    return 'facts' in around && this.#memory.isStillAbsent(directory, name, around.facts);
  }

  async #ask(path: string, directory: string, name: string): Promise<Seen> {
    // Nothing can be below what is not there.
    if (this.#seen.get(directory) === null) return null;
    const outcome = await orFault(this.#files.stat(path));
    if ('fault' in outcome) return outcome;
    if (outcome.value !== null) return { facts: outcome.value };
    const around = await this.facts(directory);
    if (around !== null) await this.#memory.rememberAbsent(directory, name, around);
    return null;
  }

  /** Of what is there and can be seen. */
  async facts(path: string): Promise<FileFacts | null> {
    const seen = await this.stat(path);
    return seen !== null && 'facts' in seen ? seen.facts : null;
  }

  async isRegular(path: string): Promise<boolean> {
    const seen = await this.stat(path);
    return seen !== null && 'facts' in seen && seen.facts.kind === 'file';
  }

  /** All links resolved; the path itself where the system does not say. */
  async realPath(path: string): Promise<string> {
    return (await this.resolve(path)) ?? path;
  }

  /** All links resolved; null: nothing is there, or the system does not say. */
  async resolve(path: string): Promise<string | null> {
    this.#trace?.real.add(path);
    const known = this.#real.get(path);
    if (known !== undefined) return known;
    const asked = await orFault(this.#files.realPath(path));
    const real = 'fault' in asked ? null : asked.value;
    this.#real.set(path, real);
    return real;
  }

  /** See `FileMemory.part`; none where there is no such directory. */
  async part(
    directory: string,
    what: string,
    isWanted: (entry: DirectoryEntry) => boolean,
  ): Promise<ListedPart | Fault> {
    const key = `${directory}\0${what}`;
    const part = this.#parts.get(key) ?? (await this.#listPart(directory, what, isWanted));
    this.#parts.set(key, part);
    this.#trace?.paths.add(directory);
    if ('fault' in part) this.#cannotBeCompared();
    return part;
  }

  frontMatter(decoded: Decoded, whole: boolean): Promise<FrontMatter | null> {
    return this.#memory.frontMatter(decoded, whole);
  }

  async content(path: string, facts: FileFacts, limit: number, mode: DecodeMode): Promise<Content | Fault> {
    this.#trace?.paths.add(path);
    const key = `${mode} ${limit} ${path}`;
    const known = this.#contents.get(key);
    const content = known ?? (await this.#memory.content(path, facts, limit, mode));
    this.#contents.set(key, content);
    if ('fault' in content) this.#cannotBeCompared();
    return content;
  }

  /** Entries of interest; none where there is no such directory. */
  async entries(directory: string): Promise<readonly DirectoryEntry[] | Fault> {
    this.#trace?.paths.add(directory);
    const entries = this.#listed.get(directory) ?? (await this.#list(directory));
    this.#listed.set(directory, entries);
    if ('fault' in entries) this.#cannotBeCompared();
    return entries;
  }

  /** A failed read may succeed next time, with all facts as they were. */
  #cannotBeCompared(): void {
    if (this.#trace !== null) this.#trace.isWhole = false;
  }

  async #listPart(
    directory: string,
    what: string,
    isWanted: (entry: DirectoryEntry) => boolean,
  ): Promise<ListedPart | Fault> {
    const seen = await this.stat(directory);
    if (seen !== null && 'fault' in seen) return seen;
    if (seen?.facts.kind !== 'directory') return { entries: [], total: 0 };
    return this.#memory.part(directory, seen.facts, what, isWanted);
  }

  async #list(directory: string): Promise<readonly DirectoryEntry[] | Fault> {
    const seen = await this.stat(directory);
    if (seen === null || 'fault' in seen) return seen ?? [];
    return seen.facts.kind === 'directory' ? this.#memory.entries(directory, seen.facts) : [];
  }
}
