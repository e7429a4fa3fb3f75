import { byteLength, type Diagnostic, parseJson, sha256, toJsonLine } from '../base/index.ts';
import type {
  Blob,
  Event,
  EventBody,
  Header,
  Laid,
  Layout,
  LogLine,
  Note,
  NoteBody,
  Piece,
  PieceLine,
  PieceRef,
  RequestEvent,
  SessionState,
} from '../model/index.ts';
import { advance, carriesAll, foldBranch } from './folds/fold-branch.ts';
import type { FoldSet } from './folds/session-folds.ts';
import { layoutLines } from './layout-lines.ts';
import type { LogIndex } from './log-index.ts';
import { type LogStorage, RefusingStorage, type StorageSlot } from './log-storage.ts';
import { type Listed, RequestBodies } from './request-bodies.ts';
import { scratchParts } from './scratch-parts.ts';
import { SessionError } from './session-error.ts';
import type { RequestFields, SessionLog } from './session-log.ts';
import type { StoredTexts } from './stored-texts.ts';

export type OpenedFile = { storage: LogStorage; path: string; release(): Promise<void> };

export type LogParts = {
  header: Header;
  path: string | null;
  folds: FoldSet;
  makeId(): string;
  /** RFC 3339. */
  now(): string;
  slot: StorageSlot;
  /** Over the slot; of a stored log what was read of it. */
  index: LogIndex;
  diagnostics: readonly Diagnostic[];
  /** The header is the first line still to be written. */
  headerDue: boolean;
  /** The branch may hold a request that the next one can be shortened by. */
  continues: boolean;
  /** Known state at the index's leaf. */
  state: SessionState | null;
  /** Takes the lock and opens the file, where that is still to be done; gives what closing it takes. */
  open: (() => Promise<OpenedFile>) | null;
  /** Before the storage closes: what makes the next reading faster. */
  beforeClose(): Promise<void>;
  release(): Promise<void>;
};

/** A log on any storage. A line counts as added once the storage took it, and is kept as the storage holds it. */
export class EventLog implements SessionLog {
  readonly id: string;
  readonly header: Header;
  readonly diagnostics: readonly Diagnostic[];
  readonly #parts: LogParts;
  readonly #index: LogIndex;
  readonly #bodies: RequestBodies;
  readonly #listeners = new Set<(line: LogLine) => void>();
  #headerDue: boolean;
  #path: string | null;
  #open: LogParts['open'];
  #opening: Promise<void> | null = null;
  #release: () => Promise<void>;
  #closed = false;
  /** The branch's end, as far as its state needs it. */
  #recent: Event[];
  #state: SessionState | null;
  /** Events at the branch's end that `#state` does not know yet. */
  #pending: Event[] = [];

  constructor(parts: LogParts) {
    this.#parts = parts;
    this.header = parts.header;
    this.id = parts.header.id;
    this.#path = parts.path;
    this.diagnostics = parts.diagnostics;
    this.#index = parts.index;
    this.#bodies = new RequestBodies(parts.index, parts.continues);
    this.#headerDue = parts.headerDue;
    this.#open = parts.open;
    this.#release = parts.release;
    this.#recent = this.#endOf(parts.index.leaf);
    this.#state = parts.state;
  }

  get path(): string | null {
    return this.#path;
  }

  get #texts(): StoredTexts {
    return this.#index.texts;
  }

  begin(): Promise<void> {
    if (this.#open === null || this.#closed) return Promise.resolve();
    this.#opening ??= this.#openWith(this.#open);
    return this.#opening;
  }

  async #openWith(open: NonNullable<LogParts['open']>): Promise<void> {
    try {
      const { storage, path, release } = await open();
      this.#parts.slot.replace(storage);
      this.#path = path;
      this.#release = release;
      this.#open = null;
    } finally {
      this.#opening = null;
    }
  }

  state(): SessionState {
    if (this.#state !== null && this.#pending.length === 0) return this.#state;
    const { folds, header } = this.#parts;
    const folded =
      this.#state === null
        ? foldBranch(folds, header, this.#recent, this.#index)
        : advance(folds, this.#state, this.#pending, this.#index);
    this.#pending = [];
    this.#state = { ...folded, id: this.id, header, leaf: this.#index.leaf };
    return this.#state;
  }

  stateAt(event: string | null): SessionState {
    if (event !== null && this.#index.event(event) === undefined) throw noSuchEvent(this.id, event);
    const { folds, header } = this.#parts;
    const folded = foldBranch(folds, header, this.#endOf(event), this.#index);
    return { ...folded, id: this.id, header, leaf: event };
  }

  append(body: EventBody): Event {
    if (body.type === 'rewind' && body.to !== null && this.#index.event(body.to) === undefined) {
      throw noSuchEvent(this.id, body.to);
    }
    return this.#tell([], this.#toEvent(body)) as Event;
  }

  note(body: NoteBody): Note {
    return this.#tell([], { id: this.#makeId(), time: this.#parts.now(), ...body }) as Note;
  }

  toLayout(laid: Laid): Layout {
    const { layout, lines } = layoutLines(laid, this.#index);
    if (lines.length > 0) this.#write(lines);
    return layout;
  }

  fromLayout(layout: Layout): Laid {
    return layout.map((item) => {
      if ('separator' in item) return item;
      const piece = this.#index.piece(item.piece);
      if (piece !== undefined) return { piece, trigger: item.trigger };
      throw new SessionError(
        'session/no-such-text',
        `the text of ${item.piece} cannot be read from the session's log`,
        {
          data: { session: this.id, piece: item.piece, path: this.path },
        },
      );
    });
  }

  piece(ref: PieceRef): Piece | undefined {
    return this.#index.piece(ref);
  }

  blob(hash: string): string | undefined {
    return this.#texts.text(hash);
  }

  media(hash: string): { mime: string; base64: string } | undefined {
    return this.#texts.media(hash);
  }

  storeMedia(mime: string, base64: string): string {
    const bytes = Buffer.from(base64, 'base64');
    const hash = sha256(bytes);
    if (!this.#texts.holds('media', hash)) {
      this.#write([{ type: 'media', sha256: hash, mime, base64: bytes.toString('base64') }]);
    }
    return hash;
  }

  event(id: string): Event | undefined {
    return this.#index.event(id);
  }

  branch(): readonly Event[] {
    return [...this.eachEvent()];
  }

  recent(): readonly Event[] {
    return [...this.#recent];
  }

  eachEvent(to?: string): Iterable<Event> {
    return this.#index.branchTo(to ?? this.#index.leaf);
  }

  notes(): readonly Note[] {
    return this.#index.notes();
  }

  requests(): readonly RequestEvent[] {
    return this.#index.requests();
  }

  lastRequest(): RequestEvent | undefined {
    return this.#recent.findLast((event) => event.type === 'request') ?? this.requests().at(-1);
  }

  recordRequest(fields: RequestFields, body: readonly string[]): RequestEvent {
    const texts = body.map((text) => text.toWellFormed());
    const listed = this.#bodies.list(fields.purpose, texts, () => this.#recent);
    const blobs = this.#blobsFor(listed);
    const whole = sha256(texts.join(''));
    const request = this.#toEvent({ type: 'request', ...fields, body: listed.list, sha256: whole });
    const event = this.#tell(blobs, request) as RequestEvent;
    this.#bodies.sent(event, listed);
    return event;
  }

  #blobsFor({ list, hashes, texts }: Listed): Blob[] {
    const due = new Set(list.filter((item) => typeof item === 'string' && !this.#texts.holds('blob', item)));
    const blobs = new Map<string, Blob>();
    if (due.size === 0) return [];
    for (const [index, hash] of hashes.entries()) {
      if (due.has(hash) && !blobs.has(hash)) blobs.set(hash, { type: 'blob', sha256: hash, text: texts[index] ?? '' });
    }
    return [...blobs.values()];
  }

  requestBody(event: RequestEvent): string {
    return this.#bodies.body(event);
  }

  /** The hashes of the texts that a request's body is made of. Throws SessionError session/damaged. */
  requestHashes(event: RequestEvent): string[] {
    return this.#bodies.hashes(event);
  }

  /** The record of a piece, without its text. */
  pieceLine(ref: PieceRef): PieceLine | undefined {
    return this.#index.pieceLine(ref);
  }

  onLine(listener: (line: LogLine) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  scratch(): SessionLog {
    return new EventLog(scratchParts(this.#parts, this.#index, this.state()));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    await this.#opening?.catch(() => {});
    try {
      // What is still to be folded may need texts from the file.
      this.state();
      if (this.#open === null) await this.#parts.beforeClose();
    } finally {
      this.#parts.slot.close();
      const refusal = new SessionError('session/closed', `session ${this.id} is closed`, {
        data: { session: this.id },
      });
      this.#parts.slot.replace(new RefusingStorage(refusal));
      await this.#release();
    }
  }

  #makeId(): string {
    for (;;) {
      const id = this.#parts.makeId();
      if (!this.#index.isTaken(id)) return id;
    }
  }

  #toEvent(body: EventBody): Event {
    return { id: this.#makeId(), parentId: this.#index.leaf, time: this.#parts.now(), ...body };
  }

  /** Writes an event or a note, and what it refers to, in one step. */
  #tell(stored: readonly (Blob | PieceLine)[], told: Event | Note): LogLine {
    if (stored.length > 0 || this.#headerDue) return this.#write([...stored, told]).at(-1) ?? told;
    const text = toJsonLine(told);
    const start = this.#parts.slot.write(`${text}\n`);
    const written = this.#takeTold(parseJson(text) as Event | Note, start, this.#parts.slot.size);
    for (const listener of this.#listeners) listener(written);
    return written;
  }

  #write(lines: readonly LogLine[]): LogLine[] {
    const due = this.#headerDue ? [this.header, ...lines] : lines;
    const texts = due.map((line) => `${toJsonLine(line)}\n`);
    let at = this.#parts.slot.write(texts.join(''));
    this.#headerDue = false;
    const written = due.map((line, index) => {
      const text = texts[index] ?? '';
      const start = at;
      at += byteLength(text);
      return this.#take(line, text, start, at - 1);
    });
    for (const line of written) for (const listener of this.#listeners) listener(line);
    return written;
  }

  #take(line: LogLine, text: string, start: number, end: number): LogLine {
    if ('id' in line && line.type !== 'session') return this.#takeTold(parseJson(text) as Event | Note, start, end + 1);
    switch (line.type) {
      case 'blob':
        this.#texts.keep(line.sha256, line.text);
        this.#texts.place(line.type, line.sha256, start, end, true);
        break;
      case 'media':
        this.#texts.place(line.type, line.sha256, start, end, true);
        break;
      case 'piece':
        this.#index.addPiece(line);
        break;
    }
    return line;
  }

  #takeTold(told: Event | Note, start: number, end: number): LogLine {
    if (!('parentId' in told)) {
      this.#index.addNote(told);
      return told;
    }
    this.#index.addKnown(told, start);
    this.#index.moveLeaf(told);
    if (told.type === 'rewind') {
      this.#recent = this.#endOf(this.#index.leaf);
      this.#state = null;
      this.#pending = [];
    } else {
      this.#recent.push(told);
      this.#pending.push(told);
    }
    if (told.type === 'rewind' || told.type === 'clear' || told.type === 'compaction') this.#bodies.forget();
    if (told.type === 'clear' || told.type === 'compaction') this.#leaveBehind(told.id, end);
    return told;
  }

  /** After a boundary only the events that it keeps stay in memory. */
  #leaveBehind(boundary: string, end: number): void {
    // What lies before it can still be seen now.
    this.state();
    this.#recent = this.#endOf(boundary);
    this.#index.release(this.#recent, end);
  }

  #endOf(leaf: string | null): Event[] {
    const { folds } = this.#parts;
    return this.#index.branchEnd(leaf, (checkpoint) => carriesAll(folds, checkpoint));
  }
}

function noSuchEvent(session: string, event: string): SessionError {
  return new SessionError('session/no-such-event', `there is no event ${event} in this session`, {
    data: { session, event },
  });
}
