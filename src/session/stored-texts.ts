import { isRecord, parseJson, sha256 } from '../base/index.ts';
import type { Blob } from '../model/index.ts';
import type { LogStorage } from './log-storage.ts';
import type { StoredLines } from './stored-lines.ts';

type Place = { start: number; end: number; checked: boolean };
type Medium = { mime: string; base64: string };

/** Characters of recently used texts that are kept in memory. */
const CACHE_CHARACTERS = 4 * 1024 * 1024;
const CACHED_TEXT = 256 * 1024;

/**
 * The texts and media of a log by their hashes. Only their places are in memory, and the texts used last; each text is
 * checked against its hash when it is read, so a damaged one is absent and never wrong.
 */
export class StoredTexts {
  readonly #storage: LogStorage;
  readonly #behind: StoredTexts | null;
  #lines: StoredLines | null = null;
  readonly #places: Record<Blob['type'], Map<string, Place>> = { blob: new Map(), media: new Map() };
  readonly #cache = new Map<string, string>();
  #cached = 0;

  constructor(storage: LogStorage, behind: StoredTexts | null = null) {
    this.#storage = storage;
    this.#behind = behind;
  }

  /** Where to look for what no place is remembered of. */
  lookInto(lines: StoredLines): void {
    this.#lines = lines;
  }

  /** Remembers nothing any more: all of it is to be found in the lines that are looked into. */
  forgetPlaces(): void {
    this.#places.blob.clear();
    this.#places.media.clear();
  }

  /** Remembers where a line lies; `checked`: it is known to hold what its hash says. */
  place(type: Blob['type'], hash: string, start: number, end: number, checked: boolean): void {
    this.#places[type].set(hash, { start, end, checked });
  }

  /** Keeps a text that was just written and will soon be read. */
  keep(hash: string, text: string): void {
    if (text.length > CACHED_TEXT || this.#cache.has(hash)) return;
    this.#cache.set(hash, text);
    this.#cached += text.length;
    for (const [oldest, old] of this.#cache) {
      if (this.#cached <= CACHE_CHARACTERS) break;
      this.#cache.delete(oldest);
      this.#cached -= old.length;
    }
  }

  /** Whether a line for it exists, which may still turn out to be damaged. */
  lists(hash: string): boolean {
    if (this.#places.blob.has(hash) || (this.#lines?.places('blob', hash).length ?? 0) > 0) return true;
    return this.#behind?.lists(hash) ?? false;
  }

  /** Whether it can be read back; reads what was not yet checked. */
  holds(type: Blob['type'], hash: string): boolean {
    if (this.#places[type].get(hash)?.checked === true) return true;
    return this.#find(type, hash) !== undefined || (this.#behind?.holds(type, hash) ?? false);
  }

  text(hash: string): string | undefined {
    const cached = this.#cache.get(hash);
    if (cached !== undefined) return cached;
    const line = this.#find('blob', hash);
    if (line?.type !== 'blob') return this.#behind?.text(hash);
    this.keep(hash, line.text);
    return line.text;
  }

  media(hash: string): Medium | undefined {
    const line = this.#find('media', hash);
    return line?.type === 'media' ? { mime: line.mime, base64: line.base64 } : this.#behind?.media(hash);
  }

  #find(type: Blob['type'], hash: string): Blob | undefined {
    const place = this.#places[type].get(hash);
    const line = place === undefined ? undefined : this.#read(type, place, hash);
    if (line !== undefined) return line;
    for (const span of this.#lines?.places(type, hash) ?? []) {
      const found = { ...span, checked: false };
      const stored = this.#read(type, found, hash);
      if (stored === undefined) continue;
      this.#places[type].set(hash, found);
      return stored;
    }
    return undefined;
  }

  #read(type: Blob['type'], place: Place, hash: string): Blob | undefined {
    const bytes = this.#storage.read(place.start, place.end);
    const line = toBlob(parseJson(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')));
    if (line?.type !== type || hashOf(line) !== hash) return undefined;
    place.checked = true;
    return line;
  }
}

/** The line as a blob, or undefined where it has not the form of one. */
export function toBlob(line: unknown): Blob | undefined {
  if (!isRecord(line) || typeof line.sha256 !== 'string') return undefined;
  const { type, sha256: hash, text, mime, base64 } = line;
  if (type === 'blob' && typeof text === 'string') return { type, sha256: hash, text };
  if (type === 'media' && typeof mime === 'string' && typeof base64 === 'string') {
    return { type, sha256: hash, mime, base64 };
  }
  return undefined;
}

function hashOf(line: Blob): string {
  return sha256(line.type === 'blob' ? line.text : Buffer.from(line.base64, 'base64'));
}
