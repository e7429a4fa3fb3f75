import type { Header } from '../model/index.ts';
import type { SessionLog } from './session-log.ts';

export type SessionInit = {
  /** Absolute. */
  cwd: string;
  projectRoot: string | null;
  /** Name and version of the program that writes. */
  program: string;
  kind?: Header['kind'];
  spawnedBy?: Header['spawnedBy'];
  /** No file at all. */
  memoryOnly?: boolean;
};

/** A stored session by its head and tail; the middle of the file is not looked at. */
export type SessionSummary = {
  id: string;
  path: string;
  cwd: string;
  projectRoot: string | null;
  program: string;
  kind: Header['kind'];
  forkedFrom: Header['forkedFrom'];
  /** When it was begun, RFC 3339. */
  time: string;
  /** The file's last change, milliseconds since 1970. */
  modifiedMs: number;
  /** Bytes. */
  size: number;
  /** The last title near the end of the file, else near its start. */
  title: string | null;
  /** The first prompt, where it lies near the start; shortened. */
  firstPrompt: string | null;
};

/** The sessions of one state directory: `<directory>/<name of the working directory>-<hash>/<id>.jsonl`. */
export interface SessionStore {
  /** Nothing is written until `begin` and the first line. */
  create(init: SessionInit): SessionLog;
  /** Takes the lock, repairs a torn end. Throws SessionError: not-found, locked, damaged, newer-version, unreadable. */
  open(id: string): Promise<SessionLog>;
  /** Without lock and repair; appending throws session/read-only. Throws as `open`, `locked` aside. */
  read(id: string): Promise<SessionLog>;
  /**
   * The one id that begins so: among the sessions of `cwd`, and where none of those does (or `cwd` is null) among all.
   * Throws SessionError session/not-found, session/ambiguous (`data.candidates`).
   */
  resolve(prefix: string, cwd: string | null): Promise<string>;
  /** The session of this directory that was written last; subagents' sessions do not count. */
  newest(cwd: string): Promise<SessionSummary | null>;
  /** Last written first; null: of all directories. Files that are not readable sessions are left out. */
  list(cwd: string | null): Promise<SessionSummary[]>;
  /**
   * A new session, open, that holds the branch up to the event `at` (default: the leaf) with what it refers to, and no
   * notes. `as`: whose it is, where that is not whose the first was. Throws as `read`, and session/no-such-event.
   */
  fork(id: string, at?: string, as?: Pick<Header, 'kind' | 'spawnedBy'>): Promise<SessionLog>;
  /** Removes it and what lies beside it; returns their paths. Throws session/not-found, session/locked, write-failed. */
  remove(id: string): Promise<string[]>;
  /** By its two ends. Throws SessionError session/not-found, session/damaged. */
  summary(id: string): Promise<SessionSummary>;
}
