import { makeEventId, makeSessionId, toJsonLine, toRfc3339 } from '../base/index.ts';
import type { ClockPort, RandomPort } from '../host/index.ts';
import type { Checkpoint, Header } from '../model/index.ts';
import { branchLines } from './branch-lines.ts';
import { EventLog, type LogParts, type OpenedFile } from './event-log.ts';
import { carriesAll } from './folds/fold-branch.ts';
import type { FoldSet } from './folds/session-folds.ts';
import { keepLines, readKept } from './kept-lines.ts';
import { LogIndex } from './log-index.ts';
import { type LogStorage, MemoryStorage, RefusingStorage, StorageSlot } from './log-storage.ts';
import { type ReadLog, readLog } from './read-log.ts';
import { removeSession } from './remove-session.ts';
import { cutTornEnd, damageOf, isNoted } from './repair.ts';
import { SessionCatalogue } from './session-catalogue.ts';
import { SessionError } from './session-error.ts';
import { makeFile, openFile, openForReading } from './session-files.ts';
import type { LockHost } from './session-lock.ts';
import type { SessionLog } from './session-log.ts';
import { logPath, type StoredFile, sessionsOfReal } from './session-places.ts';
import type { SessionInit, SessionStore, SessionSummary } from './session-store.ts';
import { StoredLines } from './stored-lines.ts';
import { StoredTexts } from './stored-texts.ts';

export type SessionStoreOptions = {
  host: LockHost;
  /** `…/sessions`, absolute; made when the first session is written. */
  directory: string;
  /** `SESSION_FOLDS` and `delivery`. */
  folds: FoldSet;
  /** Bytes up to which a log is read whole. Default: where reading from the end begins to pay. */
  wholeBytes?: number;
};

/** Characters of a copy that are written in one step. */
const BATCH = 1024 * 1024;

export function createSessionStore(options: SessionStoreOptions): SessionStore {
  return new FileSessionStore(options);
}

const ID_BYTES = 10;

/** Event ids from randomness that is fetched for many at once: a call for each would be a tenth of an append. */
function idMaker(random: RandomPort): () => string {
  let pool = new Uint8Array();
  let at = 0;
  return () => {
    if (at === pool.length) {
      pool = new Uint8Array(random.bytes(64 * ID_BYTES));
      at = 0;
    }
    at += ID_BYTES;
    return makeEventId(pool.subarray(at - ID_BYTES, at));
  };
}

/** RFC 3339; what is told within one millisecond is written once. */
function timeTeller(clock: ClockPort): () => string {
  let last = { epochMs: Number.NaN, offsetMinutes: 0 };
  let text = '';
  return () => {
    const now = clock.now();
    if (now.epochMs !== last.epochMs || now.offsetMinutes !== last.offsetMinutes) {
      text = toRfc3339(now, 3);
      last = now;
    }
    return text;
  };
}

class FileSessionStore implements SessionStore {
  readonly #host: LockHost;
  readonly #directory: string;
  readonly #folds: FoldSet;
  readonly #wholeBytes: number | undefined;
  readonly #catalogue: SessionCatalogue;

  constructor({ host, directory, folds, wholeBytes }: SessionStoreOptions) {
    this.#host = host;
    this.#directory = directory;
    this.#folds = folds;
    this.#wholeBytes = wholeBytes;
    this.#catalogue = new SessionCatalogue(directory, host.files);
  }

  create({ cwd, projectRoot, program, kind = 'main', spawnedBy = null, memoryOnly = false }: SessionInit): SessionLog {
    const header = this.#newHeader({ program, cwd, projectRoot, kind, spawnedBy, forkedFrom: null });
    const refusal = new SessionError('session/not-begun', `session ${header.id} is not begun: await begin() first`, {
      data: { session: header.id },
    });
    const slot = new StorageSlot(memoryOnly ? new MemoryStorage() : new RefusingStorage(refusal));
    const index = new LogIndex(new StoredTexts(slot));
    const lines = new StoredLines(slot, 0);
    // Without a file all lines stay in memory: there is nowhere else to find them.
    if (!memoryOnly) index.lookInto(lines);
    let path = logPath(sessionsOfReal(cwd, this.#directory), header.id);
    const open = async (): Promise<OpenedFile> => {
      const made = await this.#make(header);
      path = made.path;
      return made;
    };
    return new EventLog({
      ...this.#sources(header),
      path: memoryOnly ? null : path,
      slot,
      index,
      diagnostics: [],
      headerDue: true,
      continues: false,
      open: memoryOnly ? null : open,
      beforeClose: async () => (memoryOnly ? undefined : keepLines(path, slot, lines, this.#host.files)),
      release: async () => {},
    });
  }

  async open(id: string): Promise<SessionLog> {
    const file = await this.#catalogue.find(id);
    const { path, storage, lock } = await openFile(file, this.#host);
    try {
      const slot = new StorageSlot(storage);
      const read = await this.#load(slot, path, id);
      const torn = await cutTornEnd(storage, read.end, path, this.#host.files);
      const found = [...(torn === null ? [] : [torn]), ...damageOf(read, path)];
      const release = (): Promise<void> => lock.release();
      const log = this.#stored(read, slot, { path, diagnostics: found, continues: true, isOurs: true, release });
      for (const diagnostic of found) if (!isNoted(diagnostic, log.notes())) log.note({ type: 'notice', diagnostic });
      return log;
    } catch (error) {
      storage.close();
      await lock.release();
      throw error;
    }
  }

  async read(id: string): Promise<SessionLog> {
    return this.#read(await this.#catalogue.find(id));
  }

  resolve(prefix: string, cwd: string | null): Promise<string> {
    return this.#catalogue.resolve(prefix, cwd);
  }

  newest(cwd: string): Promise<SessionSummary | null> {
    return this.#catalogue.newest(cwd);
  }

  list(cwd: string | null): Promise<SessionSummary[]> {
    return this.#catalogue.list(cwd);
  }

  async fork(id: string, at?: string, as: Partial<Pick<Header, 'kind' | 'spawnedBy'>> = {}): Promise<SessionLog> {
    const source = await this.#read(await this.#catalogue.find(id));
    try {
      const event = at ?? source.recent().at(-1)?.id ?? null;
      if (event !== null && source.event(event) !== undefined) return await this.#copy(source, event, as);
      const what = event === null ? 'nothing was said in it yet' : `it has no event ${event}`;
      throw new SessionError('session/no-such-event', `session ${id} cannot be copied: ${what}`, {
        data: { session: id, event },
      });
    } finally {
      await source.close();
    }
  }

  async remove(id: string): Promise<string[]> {
    return removeSession(await this.#catalogue.find(id), this.#host);
  }

  summary(id: string): Promise<SessionSummary> {
    return this.#catalogue.summary(id);
  }

  async #copy(source: EventLog, at: string, as: Partial<Pick<Header, 'kind' | 'spawnedBy'>>): Promise<SessionLog> {
    const header = this.#newHeader({ ...source.header, ...as, forkedFrom: { session: source.id, event: at } });
    const { path, storage, release } = await this.#make(header);
    const slot = new StorageSlot(storage);
    try {
      let batch = `${toJsonLine(header)}\n`;
      for (const line of branchLines(source, source.eachEvent(at))) {
        batch += `${toJsonLine(line)}\n`;
        if (batch.length < BATCH) continue;
        slot.write(batch);
        batch = '';
      }
      slot.write(batch);
      const read = await this.#load(slot, path, header.id);
      return this.#stored(read, slot, { path, diagnostics: [], continues: false, isOurs: true, release });
    } catch (error) {
      storage.close();
      await this.#host.files.remove(path);
      await release();
      throw error;
    }
  }

  async #read(file: StoredFile): Promise<EventLog> {
    const { id, path } = file;
    const refusal = new SessionError('session/read-only', `session ${id} was opened for reading only`, {
      data: { session: id, path },
    });
    const slot = new StorageSlot(new RefusingStorage(refusal, await openForReading(file, this.#host)));
    try {
      const read = await this.#load(slot, path, id);
      const release = async (): Promise<void> => {};
      return this.#stored(read, slot, {
        path,
        diagnostics: damageOf(read, path),
        continues: true,
        isOurs: false,
        release,
      });
    } catch (error) {
      slot.close();
      throw error;
    }
  }

  async #make(header: Header): Promise<OpenedFile & { storage: LogStorage }> {
    const { path, storage, lock } = await makeFile(header, this.#directory, this.#host);
    const release = async (): Promise<void> => {
      // Nothing was ever written to it.
      if (storage.size === 0) await this.#host.files.remove(path);
      await lock.release();
    };
    return { path, storage, release };
  }

  async #load(storage: LogStorage, path: string, id: string): Promise<ReadLog> {
    const isReliable = (checkpoint: Checkpoint): boolean => carriesAll(this.#folds, checkpoint);
    const kept = await readKept(path, storage, this.#host.files);
    const whole = this.#wholeBytes === undefined ? {} : { whole: this.#wholeBytes };
    return readLog(storage, { path, id, isReliable, kept, ...whole });
  }

  #stored(
    { header, index, lines }: ReadLog,
    slot: StorageSlot,
    rest: Pick<LogParts, 'diagnostics' | 'continues' | 'release'> & { path: string; isOurs: boolean },
  ): EventLog {
    const { isOurs, ...parts } = rest;
    const beforeClose = async (): Promise<void> =>
      isOurs ? keepLines(rest.path, slot, lines, this.#host.files) : undefined;
    return new EventLog({
      ...this.#sources(header),
      ...parts,
      slot,
      index,
      headerDue: false,
      open: null,
      beforeClose,
    });
  }

  #sources(header: Header): Pick<LogParts, 'header' | 'folds' | 'makeId' | 'now' | 'state'> {
    const { clock, random } = this.#host;
    return {
      header,
      folds: this.#folds,
      makeId: idMaker(random),
      now: timeTeller(clock),
      state: null,
    };
  }

  #newHeader(fields: Omit<Header, 'type' | 'version' | 'id' | 'time'>): Header {
    const now = this.#host.clock.now();
    const { program, cwd, projectRoot, kind, spawnedBy, forkedFrom } = fields;
    return {
      type: 'session',
      version: 1,
      program,
      id: makeSessionId(now.epochMs, this.#host.random.bytes(10)),
      time: toRfc3339(now, 3),
      cwd,
      projectRoot,
      kind,
      spawnedBy,
      forkedFrom,
    };
  }
}
