import { makeEventId, makeSessionId, toJsonLine, toRfc3339 } from '../base/index.ts';
import type { RandomPort } from '../host/index.ts';
import type { Header } from '../model/index.ts';
import { branchLines } from './branch-lines.ts';
import { EventLog, type LogParts, type OpenedFile } from './event-log.ts';
import type { FoldSet } from './folds/session-folds.ts';
import { LogIndex } from './log-index.ts';
import { type LogStorage, MemoryStorage, RefusingStorage, StorageSlot } from './log-storage.ts';
import { type ReadLog, readLog } from './read-log.ts';
import { cutTornEnd, damageOf, isNoted } from './repair.ts';
import { SessionCatalogue } from './session-catalogue.ts';
import { SessionError } from './session-error.ts';
import { makeFile, openFile, openForReading } from './session-files.ts';
import type { LockHost } from './session-lock.ts';
import type { SessionLog } from './session-log.ts';
import { logPath, type StoredFile, sessionsOfReal } from './session-places.ts';
import type { SessionInit, SessionStore, SessionSummary } from './session-store.ts';
import { StoredTexts } from './stored-texts.ts';

export type SessionStoreOptions = {
  host: LockHost;
  /** `…/sessions`, absolute; made when the first session is written. */
  directory: string;
  /** `SESSION_FOLDS` and `delivery`. */
  folds: FoldSet;
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

class FileSessionStore implements SessionStore {
  readonly #host: LockHost;
  readonly #directory: string;
  readonly #folds: FoldSet;
  readonly #catalogue: SessionCatalogue;

  constructor({ host, directory, folds }: SessionStoreOptions) {
    this.#host = host;
    this.#directory = directory;
    this.#folds = folds;
    this.#catalogue = new SessionCatalogue(directory, host.files);
  }

  create({ cwd, projectRoot, program, kind = 'main', spawnedBy = null, memoryOnly = false }: SessionInit): SessionLog {
    const header = this.#newHeader({ program, cwd, projectRoot, kind, spawnedBy, forkedFrom: null });
    const refusal = new SessionError('session/not-begun', `session ${header.id} is not begun: await begin() first`, {
      data: { session: header.id },
    });
    const slot = new StorageSlot(memoryOnly ? new MemoryStorage() : new RefusingStorage(refusal));
    return new EventLog({
      ...this.#sources(header),
      path: memoryOnly ? null : logPath(sessionsOfReal(cwd, this.#directory), header.id),
      slot,
      index: new LogIndex(new StoredTexts(slot)),
      diagnostics: [],
      headerDue: true,
      continues: false,
      open: memoryOnly ? null : () => this.#make(header),
      release: async () => {},
    });
  }

  async open(id: string): Promise<SessionLog> {
    const file = await this.#catalogue.find(id);
    const { path, storage, lock } = await openFile(file, this.#host);
    try {
      const slot = new StorageSlot(storage);
      const read = readLog(slot, path, id);
      const torn = await cutTornEnd(storage, read.end, path, this.#host.files);
      const found = [...(torn === null ? [] : [torn]), ...damageOf(read, path)];
      const release = (): Promise<void> => lock.release();
      const log = this.#stored(read, slot, { path, diagnostics: found, continues: true, release });
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

  async fork(id: string, at?: string): Promise<SessionLog> {
    const source = await this.#read(await this.#catalogue.find(id));
    try {
      const event = at ?? source.branch().at(-1)?.id ?? null;
      if (event !== null && source.event(event) !== undefined) return await this.#copy(source, event);
      const what = event === null ? 'nothing was said in it yet' : `it has no event ${event}`;
      throw new SessionError('session/no-such-event', `session ${id} cannot be copied: ${what}`, {
        data: { session: id, event },
      });
    } finally {
      await source.close();
    }
  }

  async #copy(source: EventLog, at: string): Promise<SessionLog> {
    const header = this.#newHeader({ ...source.header, forkedFrom: { session: source.id, event: at } });
    const { path, storage, release } = await this.#make(header);
    const slot = new StorageSlot(storage);
    try {
      let batch = `${toJsonLine(header)}\n`;
      for (const line of branchLines(source, source.branchTo(at))) {
        batch += `${toJsonLine(line)}\n`;
        if (batch.length < BATCH) continue;
        slot.write(batch);
        batch = '';
      }
      slot.write(batch);
      const read = readLog(slot, path, header.id);
      return this.#stored(read, slot, { path, diagnostics: [], continues: false, release });
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
      const read = readLog(slot, path, id);
      const release = async (): Promise<void> => {};
      return this.#stored(read, slot, { path, diagnostics: damageOf(read, path), continues: true, release });
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

  #stored(
    { header, index }: ReadLog,
    slot: StorageSlot,
    rest: Pick<LogParts, 'path' | 'diagnostics' | 'continues' | 'release'>,
  ): EventLog {
    return new EventLog({ ...this.#sources(header), ...rest, slot, index, headerDue: false, open: null });
  }

  #sources(header: Header): Pick<LogParts, 'header' | 'folds' | 'makeId' | 'now' | 'state'> {
    const { clock, random } = this.#host;
    return {
      header,
      folds: this.#folds,
      makeId: idMaker(random),
      now: () => toRfc3339(clock.now(), 3),
      state: null,
    };
  }

  #newHeader(fields: Omit<Header, 'type' | 'version' | 'id' | 'time'>): Header {
    const now = this.#host.clock.now();
    return {
      ...fields,
      type: 'session',
      version: 1,
      id: makeSessionId(now.epochMs, this.#host.random.bytes(10)),
      time: toRfc3339(now, 3),
    };
  }
}
