import { join, resolve } from 'node:path';
import type { ToolFailure } from '../../model/index.ts';
import type {
  GrepArgs,
  GrepFile,
  GrepValue,
  SearchGaps,
  SearchStop,
  ToolContext,
  ToolOutcome,
} from '../contract/index.ts';
import { isSecretName } from '../secret-names.ts';
import { fileFilter } from './file-filter.ts';
import { GrepCollector } from './grep-collector.ts';
import { grepWithRipgrep } from './grep-ripgrep.ts';
import { grepWithScan } from './grep-scan.ts';
import { findRipgrep } from './ripgrep.ts';
import { SEARCH_BOUNDS, type SearchBounds } from './search-bounds.ts';
import { openRoot, repositoryAncestors, type SearchRoot } from './search-root.ts';

/** One search, as both engines carry it out. */
export type GrepJob = {
  args: GrepArgs;
  mode: GrepValue['mode'];
  root: SearchRoot;
  inRepository: boolean;
  bounds: SearchBounds;
  /** Most matching lines, or files. */
  limit: number;
  /** After it was busy: on one thread alone. */
  oneThread: boolean;
  wants(path: string): boolean;
  /** Takes the lines. */
  collector: GrepCollector;
  /** Takes a file of the other modes. False: enough. */
  takeFile(path: string, count: number): boolean;
};

export type GrepFound =
  | { type: 'unusable' }
  | { type: 'busy' }
  | { type: 'failed'; error: ToolFailure }
  | { type: 'done'; stopped: SearchStop | null; gaps: SearchGaps };

export type GrepEngine = (job: GrepJob, context: ToolContext) => Promise<GrepFound>;

/** Matching lines, or files, where the call does not say. */
export const GREP_LIMIT = 200;
const MAX_LIMIT = 10_000;
const MAX_CONTEXT = 50;
const DEFAULT_LINE_LENGTH = 500;
const MAX_PATTERN = 8 * 1024;

/** Lines, files or counts of a regular expression's matches, in the order of the paths. */
export async function grep(
  args: GrepArgs,
  context: ToolContext,
  bounds: SearchBounds = SEARCH_BOUNDS,
): Promise<ToolOutcome<GrepValue>> {
  const opened = await openRoot(context.host.files, resolve(context.cwd, args.path ?? '.'), 'grep');
  if ('error' in opened) return failed(opened.error);
  const { root } = opened;
  const named = fileFilter(args.glob);
  if (named === null) return failed({ code: 'grep/bad-glob', message: `${args.glob} is no usable pattern of names.` });
  const excluded = new Set(args.exclude ?? []);
  const filter = (path: string): boolean => named(path) && !path.split('/').some((name) => excluded.has(name));
  if (args.pattern === '' || args.pattern.length > MAX_PATTERN) {
    return failed({ code: 'grep/bad-pattern', message: `The pattern must have 1 to ${MAX_PATTERN} characters.` });
  }
  const inRepository = (await repositoryAncestors(context.host.files, root.directory)) !== null;
  const search: Search = { args: bounded(args), root, inRepository, bounds, filter, oneThread: false };
  for (const program of await findRipgrep(context)) {
    const engine = grepWithRipgrep(program);
    const outcome = await searchWith(engine, search, context);
    const second = outcome === 'busy' ? await searchWith(engine, { ...search, oneThread: true }, context) : outcome;
    if (second !== null && second !== 'busy') return second;
  }
  const scanned = await searchWith(grepWithScan, search, context);
  if (scanned !== null && scanned !== 'busy') return scanned;
  return failed({ code: 'grep/failed', message: 'The search could not be carried out.' });
}

type Search = {
  args: GrepArgs;
  root: SearchRoot;
  inRepository: boolean;
  bounds: SearchBounds;
  oneThread: boolean;
  filter(path: string): boolean;
};

/** Null: the engine cannot be used. */
async function searchWith(
  engine: GrepEngine,
  { filter, ...search }: Search,
  context: ToolContext,
): Promise<ToolOutcome<GrepValue> | 'busy' | null> {
  const { args, root } = search;
  const mode = args.mode ?? 'content';
  const limit = args.limit ?? GREP_LIMIT;
  const resultBytes = args.bytes ?? context.limits.resultBytes;
  const lineLength = args.lineLength ?? DEFAULT_LINE_LENGTH;
  const collector = new GrepCollector({ matches: limit, bytes: resultBytes, lineLength });
  // Which are the newest is only known of all.
  const mostFiles = args.newestFirst === true ? MAX_LIMIT : limit;
  const files: GrepFile[] = [];
  let cut: SearchStop | null = null;
  let size = 0;
  const takeFile = (path: string, count: number): boolean => {
    if (!filter(path)) return true;
    size += Buffer.byteLength(path) + 8;
    cut = files.length >= mostFiles ? 'limit' : size > resultBytes ? 'size' : null;
    if (cut === null) files.push({ path, count, rows: [] });
    return cut === null;
  };
  const wants = (path: string): boolean => filter(path);
  const found = await engine({ ...search, mode, limit, wants, collector, takeFile }, context);
  if (found.type === 'unusable') return null;
  if (found.type === 'busy') return 'busy';
  if (found.type === 'failed') return failed(found.error);
  const matched = mode === 'content' ? collector.files : files;
  const allowed = await readable(matched, root, context);
  const secrets = args.withoutSecrets === true ? allowed.filter((file) => isSecretName(pathOf(root, file))) : [];
  const shown = allowed.filter((file) => !secrets.includes(file));
  const value: GrepValue = {
    root: root.directory,
    mode,
    files: args.newestFirst === true ? (await newestFirst(shown, root, context)).slice(0, limit) : shown,
    stopped: collector.stopped ?? cut ?? found.stopped ?? (shown.length > limit && mode !== 'content' ? 'limit' : null),
    gaps: found.gaps,
    ...(secrets.length === 0 ? {} : { secrets: secrets.map(({ path }) => path) }),
  };
  return { value, observed: [] };
}

/** A rule may keep single files of a directory from being read: a search says nothing of them. */
async function readable(files: readonly GrepFile[], root: SearchRoot, { mayRead }: ToolContext): Promise<GrepFile[]> {
  const shown: GrepFile[] = [];
  for (const file of files) if (await mayRead(pathOf(root, file))) shown.push(file);
  return shown;
}

function pathOf(root: SearchRoot, { path }: GrepFile): string {
  return join(root.directory, path);
}

/** Of files changed at the same time the order stays. */
async function newestFirst(files: readonly GrepFile[], root: SearchRoot, { host }: ToolContext): Promise<GrepFile[]> {
  const dated: { file: GrepFile; mtimeMs: number }[] = [];
  for (const file of files) {
    const facts = await host.files.stat(pathOf(root, file)).catch(() => null);
    dated.push({ file, mtimeMs: facts?.mtimeMs ?? 0 });
  }
  return dated.sort((left, right) => right.mtimeMs - left.mtimeMs).map(({ file }) => file);
}

function bounded(args: GrepArgs): GrepArgs {
  const { limit, before, after } = args;
  return {
    ...args,
    ...(limit === undefined ? {} : { limit: Math.min(Math.max(1, limit), MAX_LIMIT) }),
    ...(before === undefined ? {} : { before: Math.min(before, MAX_CONTEXT) }),
    ...(after === undefined ? {} : { after: Math.min(after, MAX_CONTEXT) }),
  };
}

function failed(error: ToolFailure): ToolOutcome<GrepValue> {
  return { error, observed: [] };
}
