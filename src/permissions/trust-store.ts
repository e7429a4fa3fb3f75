import { dirname } from 'node:path';
import { isRecord, messageOf, parseJson, ReinError, toJsonLine } from '../base/index.ts';
import type { ClockPort, FilePort } from '../host/index.ts';

/** trust.json could not be written. Codes: trust/locked, trust/failed. */
export class TrustError extends ReinError {}

type Trust = {
  version: 1;
  /** By real path: the hash of what was trusted there. */
  directories: Readonly<Record<string, string>>;
  /** Files of the user's settings that a command changed, until a person says that this is right. */
  changed: readonly string[];
};

const EMPTY: Trust = { version: 1, directories: {}, changed: [] };
const MAX_BYTES = 1024 * 1024;
const TRIES = 100;
const WAIT_MS = 20;
/** A lock older than this was left by a process that died: nothing here takes so long. */
const STALE_MS = 10_000;

/**
 * Which directories' settings a person trusts, each with the hash of what they said yes to. A file that others may write
 * is not believed. Writers take turns.
 */
export class TrustStore {
  readonly #path: string;
  readonly #files: FilePort;
  readonly #clock: ClockPort;

  constructor(path: string, host: { files: FilePort; clock: ClockPort }) {
    this.#path = path;
    this.#files = host.files;
    this.#clock = host.clock;
  }

  async trusts(directory: string, hash: string): Promise<boolean> {
    const { directories } = await this.#read();
    return Object.hasOwn(directories, directory) && directories[directory] === hash;
  }

  /** Whether a command changed this file and nobody has said yet that this is right. */
  async doubts(path: string): Promise<boolean> {
    return (await this.#read()).changed.includes(path);
  }

  /** Throws TrustError. */
  trust(directory: string, hash: string): Promise<void> {
    return this.#update((trust) => ({ ...trust, directories: { ...trust.directories, [directory]: hash } }));
  }

  /** Throws TrustError. */
  confirm(path: string): Promise<void> {
    return this.#update((trust) => ({ ...trust, changed: trust.changed.filter((one) => one !== path) }));
  }

  /** Throws TrustError. */
  doubt(path: string): Promise<void> {
    return this.#update((trust) => ({ ...trust, changed: [...new Set([...trust.changed, path])] }));
  }

  /** Throws TrustError. */
  distrustAll(): Promise<void> {
    return this.#update(({ changed }) => ({ ...EMPTY, changed }));
  }

  async #read(): Promise<Trust> {
    const read = await this.#files.readRegular(this.#path, { maxBytes: MAX_BYTES, followLast: false });
    if (!read.ok || (read.facts.mode & 0o022) !== 0) return EMPTY;
    const value = parseJson(new TextDecoder().decode(read.bytes));
    if (!isRecord(value) || value.version !== 1) return EMPTY;
    const directories = isRecord(value.directories) ? Object.entries(value.directories) : [];
    const changed = Array.isArray(value.changed) ? value.changed : [];
    return {
      version: 1,
      directories: Object.fromEntries(
        directories.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
      changed: changed.filter((one) => typeof one === 'string'),
    };
  }

  async #update(change: (trust: Trust) => Trust): Promise<void> {
    const lock = `${this.#path}.lock`;
    try {
      await this.#files.makeDirectory(dirname(this.#path), { mode: 0o700 });
      await this.#take(lock);
      try {
        await this.#files.writeWhole(this.#path, `${toJsonLine(change(await this.#read()))}\n`, { mode: 0o600 });
      } finally {
        await this.#files.remove(lock);
      }
    } catch (error) {
      if (error instanceof TrustError) throw error;
      throw new TrustError('trust/failed', `what is trusted was not kept: ${messageOf(error)}`, {
        data: { path: this.#path },
      });
    }
  }

  async #take(lock: string): Promise<void> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (await this.#files.createExclusive(lock, '', { mode: 0o600 })) return;
      const facts = await this.#files.lstat(lock);
      if (facts !== null && this.#clock.now().epochMs - facts.mtimeMs > STALE_MS) await this.#files.remove(lock);
      else await this.#clock.sleep(WAIT_MS);
    }
    throw new TrustError('trust/locked', `another process holds ${lock}; remove it if none is running`, {
      data: { path: lock },
    });
  }
}
