import { byteLength } from '../../base/index.ts';
import type { GrepFile, GrepRow, SearchStop } from '../contract/index.ts';
import { excerpt, type Span } from './line-excerpt.ts';

export type CollectorLimits = {
  /** Matching lines. */
  matches: number;
  /** Of all rows and names together. */
  bytes: number;
  /** Characters of a line. */
  lineLength: number;
};

export type FoundLine = { line: number; match: boolean; text: string; spans: () => readonly Span[] };

// What a row's number and a name take beside their text.
const ROW_OVERHEAD = 12;

/** Takes the matching lines of one file after the other, in their order, until there is no room. */
export class GrepCollector {
  readonly files: GrepFile[] = [];
  stopped: Extract<SearchStop, 'limit' | 'size'> | null = null;
  readonly #limits: CollectorLimits;
  #matches = 0;
  #bytes = 0;
  #file: GrepFile | null = null;
  #before = { matches: 0, bytes: 0 };

  constructor(limits: CollectorLimits) {
    this.#limits = limits;
  }

  begin(path: string): void {
    this.#file = { path, count: 0, rows: [] };
    this.#before = { matches: this.#matches, bytes: this.#bytes };
  }

  /** What there is no room for is not kept; the file is read to its end all the same, which may say that it is binary. */
  take({ line, match, text, spans }: FoundLine): void {
    const file = this.#file;
    if (file === null || this.stopped !== null) return;
    if (match && this.#matches >= this.#limits.matches) {
      this.stopped = 'limit';
      return;
    }
    const row: GrepRow = { line, match, ...excerpt(text, this.#limits.lineLength, spans) };
    const isFirst = file.rows.length === 0;
    const size = byteLength(row.text) + ROW_OVERHEAD + (isFirst ? byteLength(file.path) : 0);
    if (this.#bytes + size > this.#limits.bytes && this.#matches > 0) {
      this.stopped = 'size';
      return;
    }
    this.#bytes += size;
    if (match) {
      this.#matches += 1;
      file.count += 1;
    }
    file.rows.push(row);
  }

  /** `binary`: what was taken of this file are no lines of text. False: there is no room for another file. */
  end(how: { binary?: boolean; overlong?: boolean } = {}): boolean {
    const file = this.#file;
    this.#file = null;
    if (file === null) return this.stopped === null;
    if (how.binary === true) {
      this.#matches = this.#before.matches;
      this.#bytes = this.#before.bytes;
      this.stopped = null;
      this.files.push({ path: file.path, count: 0, rows: [], binary: true });
    } else if (file.count > 0 || how.overlong === true) {
      this.files.push(how.overlong === true ? { ...file, overlong: true } : file);
    }
    return this.stopped === null;
  }
}
