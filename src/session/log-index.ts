import type { Checkpoint, Event, FoldLookup, Note, Piece, PieceLine, PieceRef, RequestEvent } from '../model/index.ts';
import { BranchEnd } from './branch-end.ts';
import type { StoredLines } from './stored-lines.ts';
import type { StoredTexts } from './stored-texts.ts';

/** What stands on top of another log lies behind all of it. Bytes. */
const ON_TOP = 2 ** 46;

/**
 * What the lines of one log say: the tree of events, the notes, the pieces' records. What the present context needs is
 * in memory; `lines` finds the rest in the file. Texts stay where they are. `behind`: another index that is looked into
 * where this one has no answer (a preview's log on the real one).
 */
export class LogIndex implements FoldLookup {
  readonly texts: StoredTexts;
  readonly #behind: LogIndex | null;
  readonly #base: number;
  readonly #events = new Map<string, Event>();
  readonly #positions = new Map<string, number>();
  readonly #pieces = new Map<PieceRef, PieceLine['piece']>();
  /** Without those of `lines`. */
  #notes: Note[] = [];
  #storedNotes: readonly Note[] | null = null;
  #lines: StoredLines | null = null;
  #leaf: string | null;
  #adopted = 0;

  constructor(texts: StoredTexts, behind: LogIndex | null = null) {
    this.texts = texts;
    this.#behind = behind;
    this.#base = behind === null ? 0 : behind.#base + ON_TOP;
    this.#leaf = behind?.leaf ?? null;
  }

  /** The last branch-scoped event in force. */
  get leaf(): string | null {
    return this.#leaf;
  }

  /** Events whose parent, or rewinds whose target, could not be found. */
  get adopted(): number {
    return this.#adopted;
  }

  /** Where to look for what is not in memory; `notes` of this index are then those after the lines' end. */
  lookInto(lines: StoredLines): void {
    this.#lines = lines;
    this.texts.lookInto(lines);
  }

  /**
   * Keeps only these events in memory. What else was written up to `end`, a position in the file, is found there from
   * now on. Does nothing where there is no file to find it in.
   */
  release(events: readonly Event[], end: number): void {
    if (this.#lines === null) return;
    this.#lines.extend(end);
    this.texts.forgetPlaces();
    this.#pieces.clear();
    this.#notes = [];
    this.#storedNotes = null;
    const kept = new Set(events.map(({ id }) => id));
    for (const id of this.#events.keys()) if (!kept.has(id)) this.#events.delete(id);
    for (const id of this.#positions.keys()) if (!kept.has(id)) this.#positions.delete(id);
  }

  /** Whether the id is taken by an event that is in memory. */
  isTaken(id: string): boolean {
    return this.#events.has(id) || (this.#behind?.isTaken(id) ?? false);
  }

  has(id: string): boolean {
    return this.#events.has(id) || (this.#lines?.hasEvent(id) ?? false) || (this.#behind?.has(id) ?? false);
  }

  event(id: string): Event | undefined {
    return this.#events.get(id) ?? this.#lines?.event(id) ?? this.#behind?.event(id);
  }

  parentOf(id: string): string | null {
    return this.#linked(id)?.parentId ?? null;
  }

  piece(ref: PieceRef): Piece | undefined {
    const record = this.#record(ref);
    if (record === undefined) return this.#behind?.piece(ref);
    const text = this.texts.text(record.sha256);
    return text === undefined ? undefined : { ...record, text };
  }

  hasPiece(ref: PieceRef): boolean {
    return this.#record(ref) !== undefined || (this.#behind?.hasPiece(ref) ?? false);
  }

  /** Without the text. */
  pieceLine(ref: PieceRef): PieceLine | undefined {
    const piece = this.#record(ref);
    return piece === undefined ? this.#behind?.pieceLine(ref) : { type: 'piece', ref, piece };
  }

  notes(): readonly Note[] {
    this.#storedNotes ??= this.#lines?.notes() ?? [];
    return [...(this.#behind?.notes() ?? []), ...this.#storedNotes, ...this.#notes];
  }

  requests(): readonly RequestEvent[] {
    const stored = [...(this.#behind?.requests() ?? []), ...(this.#lines?.requests() ?? [])];
    const known = new Set(stored.map(({ id }) => id));
    for (const [id] of [...this.#positions].sort(([, left], [, right]) => left - right)) {
      const event = this.#events.get(id);
      if (event?.type === 'request' && !known.has(id)) stored.push(event);
    }
    return stored;
  }

  /** Where a request lies among all that this one and those behind it hold: a later one has a larger number. */
  position(request: string): number | undefined {
    const own = this.#positions.get(request) ?? this.#lines?.position(request);
    return own === undefined ? this.#behind?.position(request) : own + this.#base;
  }

  addPiece(line: PieceLine): void {
    this.#pieces.set(line.ref, line.piece);
  }

  addNote(note: Note): void {
    this.#notes.push(note);
  }

  /** Adds what was just written, or is known to lie on the active branch. */
  addKnown(event: Event, position: number): void {
    this.#events.set(event.id, event);
    if (event.type === 'request') this.#positions.set(event.id, position);
  }

  /**
   * Adds an event and moves the leaf; to the leaf where its parent is not known: a parent is always an earlier event, so
   * there are no loops. False, and nothing done, where its id is taken.
   */
  addEvent(read: Event, position: number): boolean {
    if (this.isTaken(read.id)) return false;
    let event = read;
    if (read.parentId !== null && !this.has(read.parentId)) {
      this.#adopted += 1;
      event = { ...read, parentId: this.#leaf };
    }
    this.addKnown(event, position);
    if (event.type !== 'rewind' || event.to === null || this.has(event.to)) this.moveLeaf(event);
    else this.#adopted += 1;
    return true;
  }

  /** For an event whose parent turned out to be lost. */
  replace(event: Event): void {
    this.#events.set(event.id, event);
  }

  countAdopted(): void {
    this.#adopted += 1;
  }

  /** To where the branch ends once this is its last event. */
  moveLeaf(event: Event): void {
    this.#leaf = event.type === 'rewind' ? event.to : event.id;
  }

  /** Where a reader from the end found it. */
  setLeaf(leaf: string | null): void {
    this.#leaf = leaf;
  }

  /** Ids from an event back to the root. */
  *idsBack(leaf: string | null): Generator<string> {
    for (let id = leaf; id !== null; ) {
      const event = this.#linked(id);
      if (event === undefined) return;
      yield id;
      id = event.parentId;
    }
  }

  /** From the root to an event, one at a time: of a long branch only the ids are in memory. */
  *branchTo(leaf: string | null): Generator<Event> {
    for (const id of [...this.idsBack(leaf)].reverse()) {
      const event = this.event(id);
      if (event !== undefined) yield event;
    }
  }

  /** The end of the branch to an event, as far as the state there needs it. */
  branchEnd(leaf: string | null, isReliable: (checkpoint: Checkpoint) => boolean): Event[] {
    const end = new BranchEnd(leaf, isReliable);
    for (let id = end.wanted; id !== null; id = end.wanted) {
      const event = this.#linked(id);
      if (event === undefined) break;
      end.take(event);
    }
    return end.events();
  }

  /** With a parent that is there: where memory ends, only the file tells whether it is. */
  #linked(id: string): Event | undefined {
    const own = this.#events.get(id);
    if (own === undefined) {
      const stored = this.#lines?.event(id);
      return stored !== undefined || this.#behind === null ? stored : this.#behind.#linked(id);
    }
    if (own.parentId === null || this.#events.has(own.parentId)) return own;
    return this.#lines?.event(id) ?? own;
  }

  #record(ref: PieceRef): PieceLine['piece'] | undefined {
    return this.#pieces.get(ref) ?? this.#lines?.piece(ref);
  }
}
