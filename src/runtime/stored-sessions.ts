import { endLeftBehind } from '../agent/index.ts';
import { UsageError } from '../base/index.ts';

import type { HostPorts } from '../host/index.ts';
import type { Note, Task } from '../model/index.ts';
import { createMasker, maskPatterns, providerKeys } from '../permissions/index.ts';
import { SessionError, type SessionStore, type SessionSummary, tasksOf } from '../session/index.ts';
import { type Location, locate } from './locate.ts';
import { resolveSession, sessionStore } from './open-session.ts';
import { readConfig } from './read-config.ts';
import { type TranscriptEntry, transcript } from './transcript.ts';

export type SessionQuery = {
  /** Of every directory, not of this one only. */
  all?: boolean;
  /** Each must occur in the title, the first prompt or the directory; letter case does not count. */
  words?: readonly string[];
};

/** `summary` is null for a file that was no readable session. */
export type RemovedSession = {
  id: string;
  summary: SessionSummary | null;
  files: readonly string[];
  /** Commands of it that still ran in the background, and were stopped. */
  stopped: readonly Task[];
};

/** The sessions stored on this machine, seen from a directory. An id may be the beginning that only one has. */
export interface StoredSessions {
  /** Last written first; without those of subagents. Only the two ends of each file are read. */
  list(query?: SessionQuery): Promise<SessionSummary[]>;
  /** One session for a reader, with every secret masked once more. `entries` reads while it is asked. */
  read<T>(id: string, use: (summary: SessionSummary, entries: Iterable<TranscriptEntry>) => Promise<T>): Promise<T>;
  /** The id of the copy. */
  fork(id: string): Promise<string>;
  /** One after the other, each told once it is gone. None where a name is wrong; one that is open ends it. */
  remove(ids: readonly string[]): AsyncIterable<RemovedSession>;
}

/** Throws UsageError for a directory that is none; its methods UsageError for a wrong id, SessionError. */
export async function storedSessions(options: { cwd?: string }, host: HostPorts): Promise<StoredSessions> {
  const location = await locate(host, options.cwd);
  return new HostSessions(host, location, sessionStore(host));
}

/** Sessions of agents that go with the one that is deleted. */
const MAX_BELOW = 10_000;

class HostSessions implements StoredSessions {
  readonly #host: HostPorts;
  readonly #location: Location;
  readonly #store: SessionStore;

  constructor(host: HostPorts, location: Location, store: SessionStore) {
    this.#host = host;
    this.#location = location;
    this.#store = store;
  }

  async list({ all = false, words = [] }: SessionQuery = {}): Promise<SessionSummary[]> {
    const found = await this.#store.list(all ? null : this.#location.cwd);
    const wanted = words.map((word) => word.toLowerCase());
    return found.filter(({ kind, title, firstPrompt, cwd }) => {
      const text = `${title ?? ''}\n${firstPrompt ?? ''}\n${all ? cwd : ''}`.toLowerCase();
      return kind === 'main' && wanted.every((word) => text.includes(word));
    });
  }

  async read<T>(
    name: string,
    use: (summary: SessionSummary, entries: Iterable<TranscriptEntry>) => Promise<T>,
  ): Promise<T> {
    const id = await this.#resolve(name);
    const mask = await this.#masker();
    const summary = await this.#store.summary(id);
    const log = await this.#store.read(id);
    try {
      return await use(masked(summary, mask), maskedEntries(transcript(log), mask));
    } finally {
      await log.close();
    }
  }

  async fork(name: string): Promise<string> {
    const copy = await this.#store.fork(await this.#resolve(name));
    await copy.close();
    return copy.id;
  }

  async *remove(names: readonly string[]): AsyncGenerator<RemovedSession> {
    const ids: string[] = [];
    for (const name of names) ids.push(await this.#resolve(name));
    for (const id of new Set(ids)) {
      const summary = await this.#store.summary(id).catch(nullIfDamaged);
      const below = await this.#below(id);
      const left = await this.#notes(id);
      const files = await this.#store.remove(id);
      // Only now: one that is open in another process is not removed, and its commands are that one's.
      const stopped = await endLeftBehind(tasksOf(left), this.#host);
      for (const agent of below) files.push(...(await this.#store.remove(agent).catch(noneIfGone)));
      yield { id, summary, files, stopped };
    }
  }

  /** The sessions of the agents that it started, and those below them. */
  async #below(id: string, known: Set<string> = new Set([id])): Promise<string[]> {
    const found: string[] = [];
    for (const note of await this.#notes(id)) {
      if (note.type !== 'subagent' || known.has(note.session) || known.size > MAX_BELOW) continue;
      known.add(note.session);
      found.push(note.session, ...(await this.#below(note.session, known)));
    }
    return found;
  }

  /** None of one that cannot be read. */
  async #notes(id: string): Promise<readonly Note[]> {
    const log = await this.#store.read(id).catch(() => null);
    const notes = log?.notes() ?? [];
    await log?.close();
    return notes;
  }

  async #resolve(name: string): Promise<string> {
    if (name === '') throw new UsageError('session/not-found', 'an empty id names no session');
    return resolveSession(this.#store, name, this.#location.cwd);
  }

  /** The keys of the environment and of the configured providers, and what looks like one. */
  async #masker(): Promise<(text: string) => string> {
    const { env } = this.#host;
    const { settings } = await readConfig({}, this.#host, this.#location);
    const names = Object.values(settings.providers).flatMap(({ api_key_env: name, headers = {} }) => [
      ...(name === undefined ? [] : [name]),
      ...Object.values(headers).flatMap((value) => (typeof value === 'string' ? [] : [value.env])),
    ]);
    const keys = createMasker([...providerKeys(env.all()), ...names.flatMap((name) => env.get(name) ?? [])]);
    return (text) => maskPatterns(keys(text));
  }
}

function nullIfDamaged(error: unknown): null {
  if (error instanceof SessionError && error.code === 'session/damaged') return null;
  throw error;
}

function noneIfGone(error: unknown): string[] {
  if (error instanceof SessionError && error.code === 'session/not-found') return [];
  throw error;
}

function* maskedEntries(
  entries: Iterable<TranscriptEntry>,
  mask: (text: string) => string,
): Generator<TranscriptEntry> {
  for (const entry of entries) yield masked(entry, mask);
}

/** Every text in a value of plain data. */
function masked<T>(value: T, mask: (text: string) => string): T {
  if (typeof value === 'string') return mask(value) as T;
  if (Array.isArray(value)) return value.map((item) => masked<unknown>(item, mask)) as T;
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, masked<unknown>(item, mask)])) as T;
}
