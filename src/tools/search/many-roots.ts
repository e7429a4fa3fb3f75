import { join } from 'node:path';
import { byteLength } from '../../base/index.ts';
import type { ToolFailure } from '../../model/index.ts';
import type {
  GlobArgs,
  GlobValue,
  GrepArgs,
  GrepFile,
  GrepValue,
  SearchStop,
  ToolContext,
  ToolOutcome,
} from '../contract/index.ts';
import { GLOB_LIMIT, glob } from './glob.ts';
import { GREP_LIMIT, grep } from './grep.ts';

const MAX_ROOTS = 8;
/** Of a value over several roots. */
const ROOT = '/';

/** `glob` below one directory, or several. A search that stops early ends the whole. */
export async function globRoots(args: GlobArgs, context: ToolContext): Promise<ToolOutcome<GlobValue>> {
  const { paths, ...one } = args;
  if (paths === undefined) return glob(one, context);
  const error = faultOf('glob', paths);
  if (error !== null) return { error, observed: [] };
  const limit = args.limit ?? GLOB_LIMIT;
  const seen = new Map<string, GlobValue['entries'][number]>();
  let stopped: SearchStop | null = null;
  let unreadable = 0;
  let left = 0;
  for (const path of paths) {
    const room = limit - seen.size;
    const spent = [...seen.keys()].reduce((sum, name) => sum + byteLength(name) + 2, 0);
    const found = await glob({ ...one, path, limit: Math.max(1, room) }, withRoom(context, spent));
    if ('error' in found) return found;
    const { root, entries, total, gaps } = found.value;
    unreadable += gaps.unreadable;
    left += total - entries.length;
    for (const entry of entries) {
      const name = join(root, entry.path).slice(1);
      if (seen.has(name)) continue;
      if (seen.size < limit) seen.set(name, { ...entry, path: name });
      else left += 1;
    }
    stopped = found.value.stopped ?? (left > 0 ? 'limit' : null);
    if (stopped !== null) break;
  }
  const entries = [...seen.values()];
  return { value: { root: ROOT, entries, total: entries.length + left, stopped, gaps: { unreadable } }, observed: [] };
}

/** `grep` in one place, or several. A search that stops early ends the whole. */
export async function grepRoots(args: GrepArgs, context: ToolContext): Promise<ToolOutcome<GrepValue>> {
  const { paths, ...one } = args;
  if (paths === undefined) return grep(one, context);
  const error = faultOf('grep', paths);
  if (error !== null) return { error, observed: [] };
  const mode = args.mode ?? 'content';
  const limit = args.limit ?? GREP_LIMIT;
  const files = new Map<string, GrepFile>();
  let stopped: SearchStop | null = null;
  let unreadable = 0;
  for (const path of paths) {
    const room = limit - [...files.values()].reduce((sum, { count }) => sum + (mode === 'content' ? count : 1), 0);
    if (room <= 0) {
      stopped = 'limit';
      break;
    }
    const spent = byteLength(JSON.stringify([...files.values()]));
    const found = await grep({ ...one, path, limit: room }, withRoom(context, spent));
    if ('error' in found) return found;
    unreadable += found.value.gaps.unreadable;
    for (const file of found.value.files) {
      const name = join(found.value.root, file.path).slice(1);
      if (!files.has(name)) files.set(name, { ...file, path: name });
    }
    stopped = found.value.stopped;
    if (stopped !== null) break;
  }
  return { value: { root: ROOT, mode, files: [...files.values()], stopped, gaps: { unreadable } }, observed: [] };
}

/** One result holds so much, from however many places it comes. */
function withRoom(context: ToolContext, spent: number): ToolContext {
  const resultBytes = Math.max(1024, context.limits.resultBytes - spent);
  return { ...context, limits: { ...context.limits, resultBytes } };
}

function faultOf(tool: string, paths: readonly string[]): ToolFailure | null {
  if (paths.length >= 1 && paths.length <= MAX_ROOTS) return null;
  return { code: `${tool}/bad-paths`, message: `There must be 1 to ${MAX_ROOTS} places to look in.` };
}
