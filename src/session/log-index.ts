import type { Event, FoldLookup, Note, Piece, PieceLine, PieceRef, RequestEvent } from '../model/index.ts';
import type { StoredTexts } from './stored-texts.ts';

/**
 * What the lines of one log say, in memory: the tree of events, the notes, the pieces' records. Texts stay where they
 * are. `behind`: another index that is looked into where this one has no answer (a preview's log on the real one).
 */
export class LogIndex implements FoldLookup {
  readonly texts: StoredTexts;
  readonly #behind: LogIndex | null;
  readonly #events = new Map<string, Event>();
  readonly #pieces = new Map<PieceRef, PieceLine['piece']>();
  readonly #notes: Note[] = [];
  readonly #requests: RequestEvent[] = [];
  readonly #ordinals = new Map<string, number>();
  #leaf: string | null;
  #adopted = 0;

  constructor(texts: StoredTexts, behind: LogIndex | null = null) {
    this.texts = texts;
    this.#behind = behind;
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

  has(id: string): boolean {
    return this.#events.has(id) || (this.#behind?.has(id) ?? false);
  }

  event(id: string): Event | undefined {
    return this.#events.get(id) ?? this.#behind?.event(id);
  }

  piece(ref: PieceRef): Piece | undefined {
    const record = this.#pieces.get(ref);
    if (record === undefined) return this.#behind?.piece(ref);
    const text = this.texts.text(record.sha256);
    return text === undefined ? undefined : { ...record, text };
  }

  hasPiece(ref: PieceRef): boolean {
    return this.#pieces.has(ref) || (this.#behind?.hasPiece(ref) ?? false);
  }

  /** Without the text. */
  pieceLine(ref: PieceRef): PieceLine | undefined {
    const piece = this.#pieces.get(ref);
    return piece === undefined ? this.#behind?.pieceLine(ref) : { type: 'piece', ref, piece };
  }

  notes(): readonly Note[] {
    return this.#behind === null ? this.#notes : [...this.#behind.notes(), ...this.#notes];
  }

  requests(): readonly RequestEvent[] {
    return this.#behind === null ? this.#requests : [...this.#behind.requests(), ...this.#requests];
  }

  /** Position among the requests of the file, from 0. */
  ordinal(request: string): number | undefined {
    return this.#ordinals.get(request) ?? this.#behind?.ordinal(request);
  }

  addPiece(line: PieceLine): void {
    this.#pieces.set(line.ref, line.piece);
  }

  addNote(note: Note): void {
    this.#notes.push(note);
  }

  /**
   * Adds an event, to the leaf where its parent is not known: a parent is always an earlier event, so there are no
   * loops. False, and nothing done, where its id is taken.
   */
  addEvent(read: Event): boolean {
    if (this.has(read.id)) return false;
    let event = read;
    if (read.parentId !== null && !this.has(read.parentId)) {
      this.#adopted += 1;
      event = { ...read, parentId: this.#leaf };
    }
    this.#events.set(event.id, event);
    if (event.type === 'request') {
      this.#ordinals.set(event.id, this.requests().length);
      this.#requests.push(event);
    }
    this.#moveLeaf(event);
    return true;
  }

  /** From the root to an event. */
  branchTo(leaf: string | null): Event[] {
    const branch: Event[] = [];
    for (let id = leaf; id !== null; ) {
      const event = this.event(id);
      if (event === undefined) break;
      branch.push(event);
      id = event.parentId;
    }
    return branch.reverse();
  }

  #moveLeaf(event: Event): void {
    if (event.type !== 'rewind') this.#leaf = event.id;
    else if (event.to === null || this.has(event.to)) this.#leaf = event.to;
    else this.#adopted += 1;
  }
}
