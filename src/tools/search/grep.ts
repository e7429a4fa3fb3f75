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
  wants(path: string): boolean;
  /** Takes the lines. */
  collector: GrepCollector;
  /** Takes a file of the other modes. False: enough. */
  takeFile(path: string, count: number): boolean;
};

export type GrepFound =
  | { type: 'unusable' }
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
  const filter = fileFilter(args.glob);
  if (filter === null) return failed({ code: 'grep/bad-glob', message: `${args.glob} is no usable pattern of names.` });
  if (args.pattern === '' || args.pattern.length > MAX_PATTERN) {
    return failed({ code: 'grep/bad-pattern', message: `The pattern must have 1 to ${MAX_PATTERN} characters.` });
  }
  const inRepository = (await repositoryAncestors(context.host.files, root.directory)) !== null;
  const given = bounded(args);
  for (const program of await findRipgrep(context)) {
    const outcome = await searchWith(
      grepWithRipgrep(program),
      { args: given, root, inRepository, bounds, filter },
      context,
    );
    if (outcome !== null) return outcome;
  }
  const scanned = await searchWith(grepWithScan, { args: given, root, inRepository, bounds, filter }, context);
  return scanned ?? failed({ code: 'grep/failed', message: 'The search could not be carried out.' });
}

type Search = {
  args: GrepArgs;
  root: SearchRoot;
  inRepository: boolean;
  bounds: SearchBounds;
  filter(path: string): boolean;
};

/** Null: the engine cannot be used. */
async function searchWith(
  engine: GrepEngine,
  { args, root, inRepository, bounds, filter }: Search,
  context: ToolContext,
): Promise<ToolOutcome<GrepValue> | null> {
  const mode = args.mode ?? 'content';
  const limit = args.limit ?? GREP_LIMIT;
  const { resultBytes } = context.limits;
  const lineLength = args.lineLength ?? DEFAULT_LINE_LENGTH;
  const collector = new GrepCollector({ matches: limit, bytes: resultBytes, lineLength });
  const files: GrepFile[] = [];
  let cut: SearchStop | null = null;
  let size = 0;
  const takeFile = (path: string, count: number): boolean => {
    if (!filter(path)) return true;
    size += Buffer.byteLength(path) + 8;
    cut = files.length >= limit ? 'limit' : size > resultBytes ? 'size' : null;
    if (cut === null) files.push({ path, count, rows: [] });
    return cut === null;
  };
  const wants = (path: string): boolean => filter(path);
  const found = await engine({ args, mode, root, inRepository, bounds, limit, wants, collector, takeFile }, context);
  if (found.type === 'unusable') return null;
  if (found.type === 'failed') return failed(found.error);
  const matched = mode === 'content' ? collector.files : files;
  const shown = await readable(matched, root, context);
  const value: GrepValue = {
    root: root.directory,
    mode,
    files: shown,
    stopped: collector.stopped ?? cut ?? found.stopped,
    gaps: found.gaps,
  };
  return { value, observed: [] };
}

/** A rule may keep single files of a directory from being read: a search says nothing of them. */
async function readable(files: readonly GrepFile[], root: SearchRoot, { mayRead }: ToolContext): Promise<GrepFile[]> {
  const shown: GrepFile[] = [];
  for (const file of files) if (await mayRead(join(root.directory, file.path))) shown.push(file);
  return shown;
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
