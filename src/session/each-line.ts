import type { LogStorage } from './log-storage.ts';

/** Bytes read in one step. */
const CHUNK = 1024 * 1024;
const CHUNK_BACK = 256 * 1024;
/** A longer line is damaged: no program of ours writes one, and no string could hold much more. */
const MAX_LINE = 256 * 1024 * 1024;

/**
 * Calls back with each line of [from, to) that ends in a newline, without it, and where it begins; null for a line that
 * is too long. Returns where the last of them ends.
 */
export function eachLine(
  storage: LogStorage,
  [from, to]: readonly [number, number],
  take: (line: Buffer | null, start: number) => void,
): number {
  let lineStart = from;
  const rest = new LineParts();
  for (let at = from; at < to; ) {
    const chunk = readChunk(storage, at, Math.min(to, at + CHUNK));
    if (chunk.length === 0) break;
    let next = 0;
    for (let newline = chunk.indexOf(10); newline >= 0; newline = chunk.indexOf(10, next)) {
      take(rest.after(chunk.subarray(next, newline)), lineStart);
      next = newline + 1;
      lineStart = at + next;
    }
    rest.push(chunk.subarray(next));
    at += chunk.length;
  }
  return lineStart;
}

/**
 * The same from the end: `to` is where a line has ended. Stops where `take` returns false; true where it never did.
 */
export function eachLineBack(
  storage: LogStorage,
  [from, to]: readonly [number, number],
  take: (line: Buffer | null, start: number) => boolean,
): boolean {
  if (to <= from) return true;
  const rest = new LineParts();
  // Without the newline that ends the last line.
  for (let at = to - 1; at > from; ) {
    const start = Math.max(from, at - CHUNK_BACK);
    const chunk = readChunk(storage, start, at);
    let end = chunk.length;
    for (let newline = lastNewline(chunk, end); newline >= 0; newline = lastNewline(chunk, end)) {
      if (!take(rest.before(chunk.subarray(newline + 1, end)), start + newline + 1)) return false;
      end = newline;
    }
    rest.unshift(chunk.subarray(0, end));
    at = start;
  }
  return take(rest.take(), from);
}

/** Where the last line that is whole ends. */
export function endOfLines(storage: LogStorage): number {
  for (let to = storage.size; to > 0; to -= Math.min(to, CHUNK_BACK)) {
    const from = Math.max(0, to - CHUNK_BACK);
    const newline = readChunk(storage, from, to).lastIndexOf(10);
    if (newline >= 0) return from + newline + 1;
  }
  return 0;
}

function lastNewline(chunk: Buffer, end: number): number {
  return end === 0 ? -1 : chunk.lastIndexOf(10, end - 1);
}

function readChunk(storage: LogStorage, from: number, to: number): Buffer {
  const bytes = storage.read(from, to);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** A line in the making; what is too long is not kept. */
class LineParts {
  #parts: Buffer[] = [];
  #length = 0;

  push(part: Buffer): void {
    if (this.#grow(part)) this.#parts.push(part);
  }

  unshift(part: Buffer): void {
    if (this.#grow(part)) this.#parts.unshift(part);
  }

  /** The line that this part ends; nearly always it is the line. */
  after(part: Buffer): Buffer | null {
    if (this.#length === 0) return part;
    this.push(part);
    return this.take();
  }

  /** The line that this part begins. */
  before(part: Buffer): Buffer | null {
    if (this.#length === 0) return part;
    this.unshift(part);
    return this.take();
  }

  /** What came together, and begins anew. */
  take(): Buffer | null {
    const parts = this.#parts;
    const isTooLong = this.#length > MAX_LINE;
    this.#parts = [];
    this.#length = 0;
    if (isTooLong) return null;
    return parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts);
  }

  #grow(part: Buffer): boolean {
    this.#length += part.length;
    if (this.#length > MAX_LINE) this.#parts = [];
    return this.#length <= MAX_LINE && part.length > 0;
  }
}
