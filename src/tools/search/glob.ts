import { join, relative, resolve } from 'node:path';
import { byteLength } from '../../base/index.ts';
import type { FileKind } from '../../host/index.ts';
import type { ToolFailure } from '../../model/index.ts';
import type { GlobArgs, GlobValue, SearchGaps, SearchStop, ToolContext, ToolOutcome } from '../contract/index.ts';
import { compileGlob, type GlobPattern } from './glob-pattern.ts';
import { commonArguments, findRipgrep, runRipgrep } from './ripgrep.ts';
import { SEARCH_BOUNDS, type SearchBounds } from './search-bounds.ts';
import { openRoot, patternBase, repositoryAncestors, splitPattern } from './search-root.ts';
import { TreeWalk } from './walk-tree.ts';

type Listing = { stopped: SearchStop | null; gaps: SearchGaps };

type Job = {
  root: string;
  args: GlobArgs;
  pattern: GlobPattern;
  bounds: SearchBounds;
  taken: Entries;
};

/** Names where the call does not say. */
export const GLOB_LIMIT = 1000;
const MAX_LIMIT = 10_000;

/** Names that a pattern matches. */
export async function glob(
  args: GlobArgs,
  context: ToolContext,
  bounds: SearchBounds = SEARCH_BOUNDS,
): Promise<ToolOutcome<GlobValue>> {
  if (args.fromPath !== true) return namesBelow(args, context, bounds);
  const root = resolve(context.cwd, args.path ?? '.');
  const unusable = await noDirectory(context, root);
  if (unusable !== null) return failed(unusable);
  const outcome = await namesBelow(args, context, bounds);
  if ('error' in outcome) return outcome;
  const lead = relative(root, patternBase(args.pattern, root, context.cwd) ?? root);
  const entries = outcome.value.entries.map((entry) => ({ ...entry, path: join(lead, entry.path) }));
  return { value: { ...outcome.value, root, entries }, observed: [] };
}

async function noDirectory({ host }: ToolContext, path: string): Promise<ToolFailure | null> {
  const opened = await openRoot(host.files, path, 'glob');
  if ('error' in opened) return opened.error;
  if (opened.root.file === null) return null;
  return { code: 'glob/not-directory', message: `${path} is not a directory.`, data: { path } };
}

/** From where the plain names of the pattern lead. */
async function namesBelow(args: GlobArgs, context: ToolContext, bounds: SearchBounds): Promise<ToolOutcome<GlobValue>> {
  const base = patternBase(args.pattern, args.path, context.cwd);
  const rest = splitPattern(args.pattern)?.rest ?? '';
  const pattern = compileGlob(rest === '' ? '**' : rest);
  if (base === null || pattern === null || args.pattern.trim() === '') return failed(badPattern(args.pattern));
  const opened = await openRoot(context.host.files, base, 'glob');
  if ('error' in opened) return opened.error.code === 'glob/absent' ? nothing(base) : failed(opened.error);
  const { root } = opened;
  if (root.file !== null) {
    const entries = rest === '' ? [{ path: '', directory: false }] : [];
    const value = { root: join(root.directory, root.file), entries, total: entries.length };
    return { value: { ...value, stopped: null, gaps: { unreadable: 0 } }, observed: [] };
  }
  const bytes = args.bytes ?? context.limits.resultBytes;
  const taken = new Entries(Math.min(Math.max(1, args.limit ?? GLOB_LIMIT), MAX_LIMIT), bytes);
  const job: Job = { root: root.directory, args, pattern, bounds, taken };
  const listing = (await listWithRipgrep(job, context)) ?? (await listWithWalk(job, context));
  const { entries, total } = taken;
  const stopped = listing.stopped ?? taken.stopped;
  return { value: { root: root.directory, entries, total, stopped, gaps: listing.gaps }, observed: [] };
}

class Entries {
  entries: GlobValue['entries'] = [];
  total = 0;
  stopped: SearchStop | null = null;
  readonly #limit: number;
  readonly #bytes: number;
  #size = 0;

  constructor(limit: number, bytes: number) {
    this.#limit = limit;
    this.#bytes = bytes;
  }

  clear(): void {
    this.entries = [];
    this.total = 0;
    this.stopped = null;
    this.#size = 0;
  }

  /** All that match are counted, also those for which there is no room. */
  add(pattern: GlobPattern, path: string, directory: boolean): void {
    if (!pattern.matches(path)) return;
    this.total += 1;
    this.#size += byteLength(path) + 2;
    this.stopped ??= this.entries.length >= this.#limit ? 'limit' : this.#size > this.#bytes ? 'size' : null;
    if (this.stopped === null) this.entries.push({ path, directory });
  }
}

/** Null: no ripgrep can be used, or it does not tell what was asked for: it names neither directories nor links. */
async function listWithRipgrep(job: Job, context: ToolContext): Promise<Listing | null> {
  const { args, bounds, root, pattern, taken } = job;
  if (args.directories !== undefined) return null;
  const inRepository = (await repositoryAncestors(context.host.files, root)) !== null;
  const parameters = [
    ...commonArguments(args.ignored === true, inRepository),
    ...(pattern.maxDepth === null ? [] : [`--max-depth=${pattern.maxDepth}`]),
    '--files',
    '--null',
  ];
  for (const program of await findRipgrep(context)) {
    taken.clear();
    let looked = 0;
    let tooMany = false;
    const end = await runRipgrep(
      program,
      {
        args: parameters,
        cwd: root,
        separator: '\0',
        bounds,
        take: (record) => {
          looked += 1;
          tooMany = looked > bounds.entries;
          if (!tooMany) taken.add(pattern, record.toString('utf8').replace(/^\.\//, ''), false);
          return !tooMany;
        },
      },
      context,
    );
    // It is asked nothing that it could refuse.
    if (end.type !== 'done') continue;
    return { stopped: tooMany ? 'extent' : end.stopped, gaps: { unreadable: end.unreadable } };
  }
  return null;
}

async function listWithWalk({ root, args, bounds, pattern, taken }: Job, context: ToolContext): Promise<Listing> {
  const depth = Math.min(bounds.depth, pattern.maxDepth ?? bounds.depth);
  const walk = new TreeWalk(context, { root, ignored: args.ignored === true, bounds: { ...bounds, depth } });
  taken.clear();
  for await (const { path, kind } of walk.entries()) {
    if (kind === 'file') taken.add(pattern, path, false);
    else if (args.directories === undefined) continue;
    else if (kind === 'directory') taken.add(pattern, path, true);
    else {
      const target = await targetKind(context, join(root, path));
      if (target === 'file') taken.add(pattern, path, false);
      else if (target === 'directory' && args.directories === 'and-links') taken.add(pattern, path, true);
    }
  }
  // What lies deeper than the pattern reaches was not wanted.
  const stopped = walk.stopped === 'extent' && depth < bounds.depth ? null : walk.stopped;
  return { stopped, gaps: walk.gaps };
}

async function targetKind({ host }: ToolContext, link: string): Promise<FileKind | null> {
  return (await host.files.stat(link).catch(() => null))?.kind ?? null;
}

function nothing(root: string): ToolOutcome<GlobValue> {
  return { value: { root, entries: [], total: 0, stopped: null, gaps: { unreadable: 0 } }, observed: [] };
}

function failed(error: ToolFailure): ToolOutcome<GlobValue> {
  return { error, observed: [] };
}

function badPattern(pattern: string): ToolFailure {
  const what =
    pattern.trim() === '' ? 'The pattern is empty' : `${JSON.stringify(pattern.slice(0, 200))} is no usable pattern`;
  return {
    code: 'glob/bad-pattern',
    message: `${what}: names and wildcards, at most 256 alternatives in braces, no .. after a wildcard.`,
  };
}
