import { dirname } from 'node:path';
import type { DirectoryEntry, FileFacts, FilePort } from '../host/index.ts';
import type { DecodeMode } from './decode.ts';
import { type Fault, orFault } from './fault.ts';
import type { Content, FileMemory } from './file-memory.ts';

/** What stands at a path, links followed; null: nothing. */
export type Seen = { facts: FileFacts } | Fault | null;

/** The disk during one look: whoever asks, a path is asked for once, so that all queries see the same moment. */
export class LookView {
  readonly #files: FilePort;
  readonly #memory: FileMemory;
  readonly #seen = new Map<string, Seen>();

  constructor(files: FilePort, memory: FileMemory) {
    this.#files = files;
    this.#memory = memory;
  }

  async stat(path: string): Promise<Seen> {
    const known = this.#seen.get(path);
    if (known !== undefined) return known;
    // Nothing can be below what is not there.
    if (this.#seen.get(dirname(path)) === null) return null;
    const outcome = await orFault(this.#files.stat(path));
    const seen = 'fault' in outcome ? outcome : outcome.value === null ? null : { facts: outcome.value };
    this.#seen.set(path, seen);
    return seen;
  }

  async isRegular(path: string): Promise<boolean> {
    const seen = await this.stat(path);
    return seen !== null && 'facts' in seen && seen.facts.kind === 'file';
  }

  /** All links resolved; the path itself where the system does not say. */
  async realPath(path: string): Promise<string> {
    const real = await orFault(this.#files.realPath(path));
    return 'fault' in real ? path : (real.value ?? path);
  }

  content(path: string, facts: FileFacts, limit: number, mode: DecodeMode): Promise<Content | Fault> {
    return this.#memory.content(path, facts, limit, mode);
  }

  /** Entries of interest; none where there is no such directory. */
  async entries(directory: string): Promise<readonly DirectoryEntry[] | Fault> {
    const seen = await this.stat(directory);
    if (seen === null || 'fault' in seen) return seen ?? [];
    return seen.facts.kind === 'directory' ? this.#memory.entries(directory, seen.facts) : [];
  }
}
