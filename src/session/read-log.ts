import type { Checkpoint, Event, Header, Note } from '../model/index.ts';
import { BranchEnd } from './branch-end.ts';
import { eachLine, eachLineBack, endOfLines } from './each-line.ts';
import { readHeader } from './header.ts';
import { LogIndex } from './log-index.ts';
import type { LogStorage } from './log-storage.ts';
import { type LineName, nameTold, type ReadLine, readLine } from './read-line.ts';
import { type KeptTable, StoredLines } from './stored-lines.ts';
import { StoredTexts } from './stored-texts.ts';

/** A header is far shorter; what has no newline within this is none. Bytes. */
const MAX_HEADER = 1024 * 1024;
const USUAL_HEADER = 16 * 1024;
/** A shorter log is read whole: that costs no more. Bytes. */
const WHOLE = 256 * 1024;

const ID_START = '{"id":"';

export type ReadLog = {
  header: Header;
  index: LogIndex;
  lines: StoredLines;
  /** Where the last whole line ends, bytes. */
  end: number;
  /** Lines that were met and are not what they should be. */
  damaged: number;
};

export type ReadOptions = {
  path: string;
  id: string;
  /** Whether a checkpoint holds all that is carried over a boundary, undamaged. */
  isReliable(checkpoint: Checkpoint): boolean;
  /** Of the log's lines, where one was kept. */
  kept?: KeptTable | null;
  /** Bytes up to which a log is read whole. */
  whole?: number;
};

/**
 * Reads as much of a log as the state at its leaf needs, from the end back; the rest stays in the file and is found when
 * it is asked for. A short log, or one whose branch is damaged, is read whole. Lines that cannot be read are counted and
 * passed over; bytes after the last newline are left alone. Throws SessionError session/damaged, session/newer-version
 * for the first line.
 */
export function readLog(storage: LogStorage, options: ReadOptions): ReadLog {
  const header = firstLine(storage, options);
  const end = endOfLines(storage);
  const isShort = end <= (options.whole ?? WHOLE);
  return (isShort ? null : readEnd(storage, header, end, options)) ?? readWhole(storage, header, end);
}

function firstLine(storage: LogStorage, { path, id }: ReadOptions): Header {
  for (const length of [USUAL_HEADER, MAX_HEADER]) {
    const bytes = Buffer.from(storage.read(0, length));
    const newline = bytes.indexOf(10);
    if (newline >= 0) return readHeader(bytes.toString('utf8', 0, newline), path, id);
  }
  return readHeader('', path, id);
}

/** Everything, in the order of the file. */
function readWhole(storage: LogStorage, header: Header, end: number): ReadLog {
  const index = new LogIndex(new StoredTexts(storage));
  const lines = new StoredLines(storage, 0);
  index.lookInto(lines);
  let damaged = 0;
  let isFirst = true;
  eachLine(storage, [0, end], (bytes, start) => {
    if (!isFirst && !(bytes !== null && addLine(index, bytes, start))) damaged += 1;
    isFirst = false;
  });
  return { header, index, lines, end, damaged };
}

/** False where the line is damaged. */
function addLine(index: LogIndex, bytes: Buffer, start: number): boolean {
  const line = readLine(bytes);
  if (line === undefined) return true;
  if (line === null) return false;
  if (line.kind === 'event') return index.addEvent(line.event, start);
  if (line.kind === 'note') index.addNote(line.note);
  else addStored(index, line, start, start + bytes.length);
  return true;
}

function addStored(
  index: LogIndex,
  line: Exclude<ReadLine, { kind: 'event' | 'note' }>,
  start: number,
  end: number,
): void {
  if (line.kind === 'piece') index.addPiece(line.line);
  else index.texts.place(line.kind, line.sha256, start, end, false);
}

/** Null where the branch does not hang together. */
function readEnd(storage: LogStorage, header: Header, end: number, options: ReadOptions): ReadLog | null {
  const index = new LogIndex(new StoredTexts(storage));
  const lines = new StoredLines(storage, end, options.kept ?? null);
  const reader = new EndReader(index, lines, options);
  eachLineBack(storage, [0, end], (bytes, start) => start > 0 && reader.take(bytes, start));
  if (!reader.isDone) return null;
  const { damaged } = reader;
  if (!reader.isWhole) {
    index.lookInto(lines);
    return { header, index, lines, end, damaged };
  }
  // Nothing was left unread and no other branch passed over: memory holds all, as after reading the whole.
  for (const note of reader.notes()) index.addNote(note);
  const later = new StoredLines(storage, 0, options.kept ?? null);
  index.lookInto(later);
  return { header, index, lines: later, end, damaged };
}

class EndReader {
  damaged = 0;
  readonly #index: LogIndex;
  readonly #lines: StoredLines;
  readonly #options: ReadOptions;
  #branch: BranchEnd | null = null;
  /** What came right before the event taken last may be lost: a damaged line stands there. */
  #mayBeLost = false;
  /** Another event was passed over since then. */
  #hasPassed = false;
  /** Another event was passed over at any time. */
  #hasOthers = false;
  readonly #notes: Buffer[] = [];

  constructor(index: LogIndex, lines: StoredLines, options: ReadOptions) {
    this.#index = index;
    this.#lines = lines;
    this.#options = options;
  }

  get isDone(): boolean {
    return this.#branch?.wanted === null;
  }

  /** Every event lies on the branch, and the branch goes back to the root: what stands before that is read too. */
  get isWhole(): boolean {
    return !this.#hasOthers && this.#branch?.isWhole === true;
  }

  /** Those that were passed over, where the whole was read. */
  notes(): Note[] {
    return this.#notes.toReversed().flatMap((bytes) => {
      const line = readLine(bytes);
      return line?.kind === 'note' ? [line.note] : [];
    });
  }

  /** One line further back. False: no more are needed. */
  take(bytes: Buffer | null, start: number): boolean {
    const told = bytes === null || this.#isWanted(bytes) ? null : nameTold(bytes);
    if (bytes === null || told === null || this.#concerns(told)) this.#read(bytes, start);
    // A copy: the rest of what was read with it is not to be kept.
    else if (told.kind === 'note') this.#notes.push(Buffer.from(bytes));
    return !this.isDone || this.isWhole;
  }

  /** As far as the first bytes tell, which is sooner than by a pattern. */
  #isWanted(bytes: Buffer): boolean {
    const wanted = this.#branch?.wanted;
    if (wanted === null || wanted === undefined) return false;
    return bytes.toString('latin1', 0, wanted.length + ID_START.length) === ID_START + wanted;
  }

  /** What lies on another branch is not even parsed, nor is what is for the whole session. */
  #concerns({ kind, name }: LineName): boolean {
    if (kind === 'note') return false;
    const concerns = this.#branch === null || this.#mayBeLost || this.#branch.wanted === name;
    if (!concerns) this.#passOver();
    return concerns;
  }

  #read(bytes: Buffer | null, start: number): void {
    const line = bytes === null ? null : readLine(bytes);
    if (line === undefined) return;
    if (line === null) {
      this.damaged += 1;
      this.#mayBeLost = !this.#hasPassed;
    } else if (line.kind === 'event') this.#takeEvent(line.event, start);
    else if (line.kind === 'note') this.#notes.push(Buffer.from(bytes ?? []));
    else addStored(this.#index, line, start, start + (bytes?.length ?? 0));
  }

  #takeEvent(event: Event, start: number): void {
    if (this.#branch === null) this.#begin(event);
    const wanted = this.#branch?.wanted ?? null;
    if (this.#mayBeLost && wanted !== null && wanted !== event.id && !this.#lines.hasEvent(wanted)) this.#adopt(event);
    const isWanted = this.#branch?.wanted === event.id;
    this.#mayBeLost = false;
    this.#hasPassed = false;
    if (!isWanted) {
      this.#passOver();
      return;
    }
    this.#branch?.take(event);
    this.#index.addKnown(event, start);
  }

  #passOver(): void {
    this.#hasPassed = true;
    this.#hasOthers = true;
  }

  #begin(event: Event): void {
    const leaf = event.type === 'rewind' ? event.to : event.id;
    this.#index.setLeaf(leaf);
    this.#branch = new BranchEnd(leaf, this.#options.isReliable);
  }

  /** What is wanted is lost: the leaf at that time, which this event made, takes its place. */
  #adopt(event: Event): void {
    const to = event.type === 'rewind' ? event.to : event.id;
    if (to !== null && to !== event.id && !this.#lines.hasEvent(to)) return;
    this.#index.countAdopted();
    const child = this.#branch?.adopt(to);
    if (child === undefined) this.#index.setLeaf(to);
    else this.#index.replace(child);
  }
}
