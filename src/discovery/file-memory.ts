import { join } from 'node:path';
import { printable, sha256 } from '../base/index.ts';
import type { ClockPort, DirectoryEntry, FileFacts, FilePort } from '../host/index.ts';
import type { FrontMatter } from '../model/index.ts';
import { isCurrent, type Kept } from './current.ts';
import { type Decoded, type DecodeMode, decode, wholeCharacters } from './decode.ts';
import { type Fault, orFault } from './fault.ts';
import { readFrontMatter, readWhole } from './front-matter.ts';
import type { Interest } from './interest.ts';
import { KnownAbsent } from './known-absent.ts';
import { KnownAnswers } from './known-answers.ts';

export type Content = {
  realPath: string;
  /** Of the bytes read. */
  sha256: string;
  /** How many were read: for a head, without a character that the limit cut in two. */
  bytes: number;
  /** Null: not UTF-8, where nothing else is taken. */
  decoded: Decoded | null;
};

/** The first entries of a kind, by code point, and how many there are. */
export type ListedPart = { entries: readonly DirectoryEntry[]; total: number };

/** More definitions than anybody has in one directory. */
const MAX_PART = 512;

/** As in `/proc`, where a link could lead to the program's own environment, keys included. */
const MADE_BY_SYSTEM = 'its content is made by the system when it is read';

type KeptContent = Kept & { sha256: string; bytes: number; realPath: string; texts: Map<DecodeMode, Decoded | null> };
type KeptEntries = Kept & { entries: readonly DirectoryEntry[] };
type KeptPart = Kept & ListedPart;

/**
 * What one session knows of the disk: nothing is read or listed again whose device, inode, size and times are
 * unchanged.
 */
export class FileMemory {
  readonly #files: FilePort;
  readonly #clock: Pick<ClockPort, 'now'>;
  readonly #interest: Interest;
  readonly #contents = new Map<string, KeptContent>();
  readonly #entries = new Map<string, KeptEntries>();
  readonly #parts = new Map<string, KeptPart>();
  readonly #frontMatter = new WeakMap<Decoded, Promise<FrontMatter | null>>();
  readonly #absent = new KnownAbsent();
  readonly answers: KnownAnswers = new KnownAnswers();

  constructor(files: FilePort, clock: Pick<ClockPort, 'now'>, interest: Interest) {
    this.#files = files;
    this.#clock = clock;
    this.#interest = interest;
  }

  nowMs(): number {
    return this.#clock.now().epochMs;
  }

  forgetEntries(): void {
    this.#entries.clear();
    this.answers.clear();
  }

  forget(): void {
    this.#contents.clear();
    this.#entries.clear();
    this.#parts.clear();
    this.#absent.clear();
    this.answers.clear();
  }

  /** Whether there is anything to compare the directory's facts with. */
  wasAbsent(directory: string, name: string): boolean {
    return this.#absent.has(directory, name);
  }

  /** Whether the name is still not in the directory that `facts` were just seen of. */
  isStillAbsent(directory: string, name: string, facts: FileFacts): boolean {
    return this.#absent.holds(directory, name, facts);
  }

  /**
   * Remembers that nothing, not even a link to nothing, has that name in the directory `facts` were just seen of. It is
   * looked for once more, after the directory: what came in between would have changed it.
   */
  async rememberAbsent(directory: string, name: string, facts: FileFacts): Promise<void> {
    const atMs = this.#clock.now().epochMs;
    const there = await orFault(this.#files.lstat(join(directory, name)));
    if (!('fault' in there) && there.value === null) this.#absent.add(directory, name, facts, atMs);
  }

  /** At most the first `limit` bytes of the regular file at `path`, which `facts` were just seen of. */
  async content(path: string, facts: FileFacts, limit: number, mode: DecodeMode): Promise<Content | Fault> {
    // The head of a larger file depends on the limit; a whole file does not.
    const key = facts.size > limit ? `${path}\0${limit}` : path;
    const known = this.#contents.get(key);
    if (known !== undefined && isCurrent(known, facts)) {
      const decoded = known.texts.get(mode);
      if (decoded !== undefined) {
        return { realPath: known.realPath, sha256: known.sha256, bytes: known.bytes, decoded };
      }
    }
    const atMs = this.#clock.now().epochMs;
    const read = await this.#bytes(path, facts, limit);
    if ('fault' in read) return read;
    const hash = sha256(read.bytes);
    const texts = known?.sha256 === hash ? known.texts : new Map<DecodeMode, Decoded | null>();
    const remembered = texts.get(mode);
    const decoded = remembered === undefined ? decode(read.bytes, mode) : remembered;
    texts.set(mode, decoded);
    const resolved = await orFault(this.#files.realPath(path));
    const realPath = 'fault' in resolved ? path : (resolved.value ?? path);
    this.#contents.set(key, { facts: read.facts, atMs, sha256: hash, bytes: read.bytes.length, realPath, texts });
    return { realPath, sha256: hash, bytes: read.bytes.length, decoded };
  }

  /** The entries of interest of the directory that `facts` were just seen of, by code point. */
  async entries(directory: string, facts: FileFacts): Promise<readonly DirectoryEntry[] | Fault> {
    const known = this.#entries.get(directory);
    if (known !== undefined && isCurrent(known, facts)) return known.entries;
    const atMs = this.#clock.now().epochMs;
    const listed = await orFault(this.#files.list(directory));
    if ('fault' in listed) return listed;
    const entries = listed.value.filter((entry) => this.#interest.holds(entry.name));
    this.#entries.set(directory, { facts, atMs, entries });
    return entries;
  }

  /**
   * Entries that `isWanted` of the directory that `facts` were just seen of, a bounded number. `what` names the choice:
   * one name, one meaning.
   */
  async part(
    directory: string,
    facts: FileFacts,
    what: string,
    isWanted: (entry: DirectoryEntry) => boolean,
  ): Promise<ListedPart | Fault> {
    const key = `${directory}\0${what}`;
    const known = this.#parts.get(key);
    if (known !== undefined && isCurrent(known, facts)) return known;
    const atMs = this.#clock.now().epochMs;
    const listed = await orFault(this.#files.list(directory));
    if ('fault' in listed) return listed;
    const wanted = listed.value.filter(isWanted);
    const part = { facts, atMs, entries: wanted.slice(0, MAX_PART), total: wanted.length };
    this.#parts.set(key, part);
    return part;
  }

  /** Of a text that `content` gave: read once for as long as the file's bytes are the same. */
  frontMatter(decoded: Decoded, whole: boolean): Promise<FrontMatter | null> {
    const known = this.#frontMatter.get(decoded) ?? (whole ? readWhole : readFrontMatter)(decoded.text);
    this.#frontMatter.set(decoded, known);
    return known;
  }

  async #bytes(
    path: string,
    facts: FileFacts,
    limit: number,
  ): Promise<{ bytes: Uint8Array; facts: FileFacts } | Fault> {
    if (facts.size > limit) {
      const head = await orFault(this.#files.readRange(path, 0, limit));
      return 'fault' in head ? head : { bytes: wholeCharacters(head.value), facts };
    }
    const read = await this.#files.readRegular(path, { maxBytes: limit });
    if (!read.ok) return { fault: printable(read.detail), systemCode: read.why };
    if (read.facts.size === 0 && read.bytes.length > 0) return { fault: MADE_BY_SYSTEM, systemCode: 'not-regular' };
    return read;
  }
}
