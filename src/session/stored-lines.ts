import type { Event, Note, PieceLine, PieceRef, RequestEvent } from '../model/index.ts';
import { eachLine, eachLineBack } from './each-line.ts';
import { type LineSpan, LineTable } from './line-table.ts';
import type { LogStorage } from './log-storage.ts';
import { nameLine, type ReadLine, readLine } from './read-line.ts';

type Found = { event: Event; span: LineSpan };

/** A table that was kept in a file, and how much of the log it covers. */
export type KeptTable = { table: LineTable; covered: number };

/**
 * Lines of a log that are not in memory. Where each lies is found out by one pass over the file, once it is asked for,
 * or known from a table that was kept; a line is read and checked each time. A parent that cannot be read is replaced by
 * the event before, as for a reader of the whole.
 */
export class StoredLines {
  readonly #storage: LogStorage;
  #table: LineTable;
  #covered: number;
  #end: number;
  /** Bytes of the log that a kept table covers already. */
  readonly kept: number;
  /** The event read last: a walk to the root asks for each twice. */
  #last: Found | null = null;

  constructor(storage: LogStorage, end: number, kept: KeptTable | null = null) {
    this.#storage = storage;
    this.#end = end;
    this.#table = kept?.table ?? new LineTable();
    this.kept = kept?.covered ?? 0;
    this.#covered = this.kept;
  }

  /** Bytes of the log that are answered for. */
  get end(): number {
    return this.#end;
  }

  /** Answers for lines that were written meanwhile too. */
  extend(end: number): void {
    this.#end = Math.max(this.#end, end);
  }

  /** Of everything up to `end`. */
  table(): LineTable {
    if (this.#covered < this.#end) {
      this.#covered = eachLine(this.#storage, [this.#covered, this.#end], (bytes, start) => {
        const named = bytes === null ? null : nameLine(bytes);
        if (named !== null) this.#table.add(named.kind, named.name, { start, end: start + (bytes?.length ?? 0) });
      });
    }
    return this.#table;
  }

  hasEvent(id: string): boolean {
    return this.#find(id) !== undefined;
  }

  event(id: string): Event | undefined {
    const found = this.#find(id);
    if (found === undefined) return undefined;
    const { event, span } = found;
    if (event.parentId === null || this.#find(event.parentId) !== undefined) return event;
    return { ...event, parentId: this.#leafBefore(span.start) };
  }

  /** Where a request begins in the file. */
  position(id: string): number | undefined {
    return this.#find(id)?.span.start;
  }

  piece(ref: PieceRef): PieceLine['piece'] | undefined {
    for (const span of this.table().spans(['piece'], ref)) {
      const line = this.#read(span);
      if (line?.kind === 'piece' && line.line.ref === ref) return line.line.piece;
    }
    return undefined;
  }

  places(type: 'blob' | 'media', hash: string): LineSpan[] {
    return this.table().spans([type], hash);
  }

  notes(): Note[] {
    return this.table()
      .all('note')
      .flatMap((span) => {
        const line = this.#read(span);
        return line?.kind === 'note' ? [line.note] : [];
      });
  }

  requests(): RequestEvent[] {
    return this.table()
      .all('request')
      .flatMap((span) => {
        const line = this.#read(span);
        return line?.kind === 'event' && line.event.type === 'request' ? [line.event] : [];
      });
  }

  /** Of two lines with one id the first counts. */
  #find(id: string): Found | undefined {
    if (this.#last?.event.id === id) return this.#last;
    for (const span of this.table().spans(['event', 'request'], id)) {
      const line = this.#read(span);
      if (line?.kind !== 'event' || line.event.id !== id) continue;
      this.#last = { event: line.event, span };
      return this.#last;
    }
    return undefined;
  }

  /** The leaf when the line that begins here was written. */
  #leafBefore(start: number): string | null {
    let leaf: string | null = null;
    eachLineBack(this.#storage, [0, start], (bytes) => {
      const line = bytes === null ? null : readLine(bytes);
      if (line?.kind !== 'event') return true;
      const { event } = line;
      if (event.type === 'rewind' && event.to !== null && !this.hasEvent(event.to)) return true;
      leaf = event.type === 'rewind' ? event.to : event.id;
      return false;
    });
    return leaf;
  }

  #read({ start, end }: LineSpan): ReadLine | null | undefined {
    const bytes = this.#storage.read(start, end);
    return readLine(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  }
}
