import type { Diagnostic } from '../base/index.ts';
import type {
  Event,
  EventBody,
  Header,
  Laid,
  Layout,
  LogLine,
  Note,
  NoteBody,
  Piece,
  PieceRef,
  RequestEvent,
  SessionState,
} from '../model/index.ts';

/** What a request's event says beside its body. */
export type RequestFields = Omit<RequestEvent, 'id' | 'parentId' | 'time' | 'type' | 'body' | 'sha256'>;

/**
 * One session: an append-only file of events that form a tree, the notes beside it, and what is folded from them.
 * Everything written is handed to the system before the call returns; nothing is ever rewritten. What is returned is
 * what the log holds (a body's undefined fields and lone surrogates are gone), and must not be changed by the caller.
 */
export interface SessionLog {
  readonly id: string;
  readonly header: Header;
  /** Null: kept in memory only. Until `begin` it is where the file will be unless `cwd` has links in it. */
  readonly path: string | null;
  /** What reading the file met: a torn line, damaged lines. Empty for a fresh session. */
  readonly diagnostics: readonly Diagnostic[];

  /**
   * Takes the lock and creates the file, where that is still to be done. Await it before the first append to a session
   * that `create` gave; again, and for any other log, it does nothing. Throws SessionError session/write-failed.
   */
  begin(): Promise<void>;

  /** Folded over the active branch; the same object until the next event. */
  state(): SessionState;

  /** Folded up to that event, on whichever branch it lies; null: before the first. Throws session/no-such-event. */
  stateAt(event: string | null): SessionState;

  /**
   * Adds to the active branch, with one write; a `rewind` moves the leaf instead. Throws SessionError
   * session/write-failed (nothing of the line remains), session/not-begun, session/read-only, session/closed; for a
   * rewind to an unknown event session/no-such-event.
   */
  append(body: EventBody): Event;
  /** Adds a note: the leaf stays. Throws as `append` does. */
  note(body: NoteBody): Note;

  /** The layout with references for pieces. Stores pieces and texts that the log does not hold yet. Throws as `append`. */
  toLayout(laid: Laid): Layout;
  /** Pieces as they were when stored. Throws SessionError session/no-such-text where one cannot be read. */
  fromLayout(layout: Layout): Laid;
  /** Undefined where the log does not hold it, or holds it damaged. */
  piece(ref: PieceRef): Piece | undefined;
  blob(sha256: string): string | undefined;
  media(sha256: string): { mime: string; base64: string } | undefined;
  /** Stores a medium once; returns the hash of its bytes. Throws as `append` does. */
  storeMedia(mime: string, base64: string): string;

  /** Any event of the file, on whichever branch. */
  event(id: string): Event | undefined;
  /** The active branch, root first: all of it in memory. */
  branch(): readonly Event[];
  /** The end of it: from the last boundary on, and what that keeps; the whole where there is none. */
  recent(): readonly Event[];
  /** One at a time, root first, to an event on any branch; default: the active branch. */
  eachEvent(to?: string): Iterable<Event>;
  /** Of the whole session, in the order of the file. */
  notes(): readonly Note[];

  /** Logs a request before it is sent. `body`: texts whose concatenation is the HTTP body. Throws as `append` does. */
  recordRequest(fields: RequestFields, body: readonly string[]): RequestEvent;
  /** In the order of the file, all branches. */
  requests(): readonly RequestEvent[];
  /** The last of the active branch, else of the file. */
  lastRequest(): RequestEvent | undefined;
  /** Exactly the body that was sent. Throws SessionError session/damaged where that cannot be had. */
  requestBody(event: RequestEvent): string;

  /**
   * Called with every line once it was written, in order. It must not throw and must not append. Returns the end of the
   * subscription.
   */
  onLine(listener: (line: LogLine) => void): () => void;

  /**
   * A copy of the present state in memory, with the same interface: what is appended there goes nowhere, and its ids
   * are placeholders (`preview-1`, …). For previews, so that they run what a real request runs.
   */
  scratch(): SessionLog;

  /**
   * Releases the lock. State, events and notes remain; appending throws SessionError session/closed, and texts and
   * bodies can no longer be read.
   */
  close(): Promise<void>;
}
