import { byteLength, messageOf } from '../base/index.ts';
import type { AppendHandle } from '../host/index.ts';
import { SessionError } from './session-error.ts';

/** Where the bytes of a log lie. */
export interface LogStorage {
  /** Bytes. */
  readonly size: number;
  /**
   * Adds whole lines in one step and returns where they begin. Throws SessionError; then nothing of them is there, or
   * what is there is cut off before the next line.
   */
  write(text: string): number;
  /** Bytes [start, end), less where the log ends sooner. */
  read(start: number, end: number): Uint8Array;
  close(): void;
}

/** A file that only this process writes to. */
export class FileStorage implements LogStorage {
  readonly #handle: AppendHandle;
  readonly #path: string;
  #size: number;
  #torn = false;

  constructor(handle: AppendHandle, path: string) {
    this.#handle = handle;
    this.#path = path;
    this.#size = handle.size();
  }

  get size(): number {
    return this.#size;
  }

  write(text: string): number {
    if (this.#torn) this.#restore();
    const start = this.#size;
    try {
      this.#handle.write(text);
    } catch (error) {
      this.#torn = true;
      this.#restoreQuietly();
      throw this.#failure(error);
    }
    this.#size = start + byteLength(text);
    return start;
  }

  read(start: number, end: number): Uint8Array {
    return this.#handle.read(start, Math.min(end, this.#size));
  }

  /** Cuts the file back to a size that ends a line. Throws SessionError session/write-failed. */
  truncate(size: number): void {
    this.#size = size;
    this.#torn = true;
    this.#restore();
  }

  close(): void {
    this.#handle.close();
  }

  #restore(): void {
    try {
      this.#handle.truncate(this.#size);
    } catch (error) {
      throw this.#failure(error);
    }
    this.#torn = false;
  }

  // The next write tries again before it adds anything; its failure is told then.
  #restoreQuietly(): void {
    try {
      this.#restore();
    } catch {
      // Still torn.
    }
  }

  #failure(cause: unknown): SessionError {
    return new SessionError('session/write-failed', `the session's log cannot be written: ${messageOf(cause)}`, {
      data: { path: this.#path },
      cause,
    });
  }
}

/** Lines in memory: sessions without a file, previews. */
export class MemoryStorage implements LogStorage {
  readonly #chunks: { start: number; bytes: Uint8Array }[];
  #size: number;

  constructor(bytes: Uint8Array = new Uint8Array()) {
    this.#chunks = bytes.length === 0 ? [] : [{ start: 0, bytes }];
    this.#size = bytes.length;
  }

  get size(): number {
    return this.#size;
  }

  write(text: string): number {
    const start = this.#size;
    const bytes = Buffer.from(text, 'utf8');
    this.#chunks.push({ start, bytes });
    this.#size += bytes.length;
    return start;
  }

  /** A range never reaches over what one `write` added: it is a line. */
  read(start: number, end: number): Uint8Array {
    const chunk = this.#chunks[this.#indexAt(start)];
    return chunk === undefined ? new Uint8Array() : chunk.bytes.subarray(start - chunk.start, end - chunk.start);
  }

  close(): void {}

  #indexAt(position: number): number {
    let low = 0;
    let high = this.#chunks.length;
    while (high - low > 1) {
      const middle = (low + high) >>> 1;
      if ((this.#chunks[middle]?.start ?? 0) <= position) low = middle;
      else high = middle;
    }
    return low;
  }
}

/** A log that is not written to: its refusal, and what can be read all the same. */
export class RefusingStorage implements LogStorage {
  readonly #refusal: SessionError;
  readonly #behind: LogStorage | null;

  constructor(refusal: SessionError, behind: LogStorage | null = null) {
    this.#refusal = refusal;
    this.#behind = behind;
  }

  get size(): number {
    return this.#behind?.size ?? 0;
  }

  write(): number {
    throw this.#refusal;
  }

  read(start: number, end: number): Uint8Array {
    return this.#behind?.read(start, end) ?? new Uint8Array();
  }

  close(): void {
    this.#behind?.close();
  }
}

/** The storage in use now: not begun, then the file, then closed. */
export class StorageSlot implements LogStorage {
  #current: LogStorage;

  constructor(current: LogStorage) {
    this.#current = current;
  }

  replace(next: LogStorage): void {
    this.#current = next;
  }

  get size(): number {
    return this.#current.size;
  }

  write(text: string): number {
    return this.#current.write(text);
  }

  read(start: number, end: number): Uint8Array {
    return this.#current.read(start, end);
  }

  close(): void {
    this.#current.close();
  }
}
