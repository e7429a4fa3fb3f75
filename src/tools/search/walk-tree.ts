import { join } from 'node:path';
import { FileError, type FilePort } from '../../host/index.ts';
import type { SearchGaps, SearchStop, ToolContext } from '../contract/index.ts';
import { type IgnoreRules, parseIgnoreFile } from './ignore-rules.ts';
import type { SearchBounds } from './search-bounds.ts';
import { repositoryAncestors } from './search-root.ts';

/** `path` from the root of the walk. */
export type WalkEntry = { path: string; kind: 'file' | 'directory' | 'link' };

export type WalkOptions = {
  /** Absolute, links resolved. */
  root: string;
  /** What `.gitignore` files leave out, too. */
  ignored: boolean;
  bounds: SearchBounds;
};

type Scope = { base: string; rules: IgnoreRules };

const IGNORE_FILE_BYTES = 1024 * 1024;

/**
 * Everything below a directory, each directory's names in code point order and what is in a directory right after it.
 * `.git` is left out, links are not followed. `.gitignore` files count from the repository's root down (of one that
 * lies above the walk's root, where the call may read it), outside of a repository those within the walk.
 */
export class TreeWalk {
  stopped: SearchStop | null = null;
  readonly gaps: SearchGaps = { unreadable: 0 };
  readonly #context: ToolContext;
  readonly #files: FilePort;
  readonly #options: WalkOptions;
  readonly #deadline: number;
  #looked = 0;
  #inRepository = false;
  #ended = false;

  constructor(context: ToolContext, options: WalkOptions) {
    this.#context = context;
    this.#files = context.host.files;
    this.#options = options;
    this.#deadline = context.host.clock.monotonicMs() + options.bounds.timeMs;
  }

  async *entries(): AsyncGenerator<WalkEntry> {
    const { root, ignored } = this.#options;
    const scopes: Scope[] = [];
    if (!ignored) {
      const ancestors = await repositoryAncestors(this.#files, root);
      this.#inRepository = ancestors !== null;
      for (const directory of ancestors ?? []) scopes.push(...(await this.#scopeOf(directory)));
    }
    yield* this.#below('', scopes, 1);
  }

  /** Milliseconds until the walk has to end. */
  get restMs(): number {
    return this.#deadline - this.#context.host.clock.monotonicMs();
  }

  async *#below(path: string, outer: readonly Scope[], depth: number): AsyncGenerator<WalkEntry> {
    const { root, ignored, bounds } = this.#options;
    const directory = join(root, path);
    const names = await this.#list(directory);
    const scopes = ignored ? [] : await this.#scopes(directory, path, outer, names);
    for (const { name, kind } of names) {
      if (this.#mustStop()) return;
      if (name === '.git' || (kind !== 'file' && kind !== 'directory' && kind !== 'link')) continue;
      const entry: WalkEntry = { path: path === '' ? name : `${path}/${name}`, kind };
      if (isIgnored(join(directory, name), kind === 'directory', scopes)) continue;
      yield entry;
      if (kind !== 'directory') continue;
      if (depth < bounds.depth) yield* this.#below(entry.path, scopes, depth + 1);
      else this.stopped ??= 'extent';
    }
  }

  /** A directory that lies too deep ends nothing else. */
  #mustStop(): boolean {
    this.#looked += 1;
    if (this.#ended) return true;
    if (this.#context.signal.aborted) return this.#end('aborted');
    if (this.#looked > this.#options.bounds.entries) return this.#end('extent');
    return this.restMs <= 0 ? this.#end('time') : false;
  }

  #end(why: SearchStop): true {
    this.stopped = why;
    this.#ended = true;
    return true;
  }

  async #list(directory: string): Promise<Awaited<ReturnType<FilePort['list']>>> {
    try {
      return await this.#files.list(directory);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.gaps.unreadable += 1;
      return [];
    }
  }

  /** Within a repository a repository of its own begins anew. */
  async #scopes(
    directory: string,
    path: string,
    outer: readonly Scope[],
    names: readonly { name: string }[],
  ): Promise<readonly Scope[]> {
    const inherited = this.#inRepository && path !== '' && names.some(({ name }) => name === '.git') ? [] : outer;
    return names.some(({ name }) => name === '.gitignore')
      ? [...inherited, ...(await this.#scopeOf(directory))]
      : inherited;
  }

  async #scopeOf(directory: string): Promise<Scope[]> {
    const path = join(directory, '.gitignore');
    const found = await this.#files.readRegular(path, { maxBytes: IGNORE_FILE_BYTES });
    if (!found.ok) return [];
    return [{ base: directory, rules: parseIgnoreFile(Buffer.from(found.bytes).toString('utf8')) }];
  }
}

/** The innermost file that says something decides. */
function isIgnored(path: string, isDirectory: boolean, scopes: readonly Scope[]): boolean {
  for (const { base, rules } of scopes.toReversed()) {
    const judged = rules.judge(path.slice(base === '/' ? 1 : base.length + 1), isDirectory);
    if (judged !== null) return judged === 'ignored';
  }
  return false;
}
