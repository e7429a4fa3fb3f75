import { join } from 'node:path';
import { byteLength, messageOf } from '../../base/index.ts';
import type { RegexSpans } from '../../host/index.ts';
import type { SearchGaps, SearchStop, ToolContext } from '../contract/index.ts';
import { fileFilter } from './file-filter.ts';
import { globOfType } from './file-types.ts';
import type { GrepFound, GrepJob } from './grep.ts';
import type { Span } from './line-excerpt.ts';
import { TreeWalk, type WalkEntry } from './walk-tree.ts';

// One file's matches; beyond them it is too many in any case.
const MAX_SPANS = 20_000;
// A pattern that goes astray must not use up all the time at one file.
const FILE_MS = 2000;

/** Without ripgrep: reads every file itself. The pattern has JavaScript's syntax. */
export async function grepWithScan(job: GrepJob, context: ToolContext): Promise<GrepFound> {
  const flags = flagsFor(job);
  if (typeof flags !== 'string') return { type: 'failed', error: flags };
  const { args, root, bounds } = job;
  const type = args.type === undefined ? undefined : globOfType(args.type);
  const ofType = type === null ? null : fileFilter(type);
  if (ofType === null) {
    return {
      type: 'failed',
      error: { code: 'grep/bad-type', message: `${args.type} is no type of files known here.` },
    };
  }
  const wants = (path: string): boolean => ofType(path) && job.wants(path);
  const walk = new TreeWalk(context, { root: root.directory, ignored: args.ignored === true, bounds });
  const scan = new Scan(job, context, flags, walk.gaps);
  if (root.file !== null) {
    if (job.wants(root.file)) await scan.look({ path: root.file, kind: 'file' }, bounds.timeMs);
  } else {
    for await (const entry of walk.entries()) {
      if (entry.kind === 'file' && wants(entry.path) && !(await scan.look(entry, walk.restMs))) break;
    }
  }
  return { type: 'done', stopped: scan.stopped ?? walk.stopped, gaps: walk.gaps };
}

/**
 * `u` where the pattern allows it: so that `.` is a character, and `\p{…}` is known. Of a single line `^` and `$` are
 * its ends, and `.` is anything in it; over several lines a lone `\r` ends one too, which ripgrep does not think.
 */
function flagsFor({ args }: GrepJob): string | { code: string; message: string } {
  const common = `s${args.ignoreCase === true ? 'i' : ''}${args.multiline === true ? 'm' : ''}`;
  let why = '';
  for (const flags of [`${common}u`, common]) {
    try {
      new RegExp(args.pattern, flags);
      return flags;
    } catch (error) {
      why ||= messageOf(error);
    }
  }
  return { code: 'grep/bad-pattern', message: `The search was refused: ${why}` };
}

class Scan {
  stopped: SearchStop | null = null;
  readonly #job: GrepJob;
  readonly #context: ToolContext;
  readonly #flags: string;
  readonly #gaps: SearchGaps;

  constructor(job: GrepJob, context: ToolContext, flags: string, gaps: SearchGaps) {
    this.#job = job;
    this.#context = context;
    this.#flags = flags;
    this.#gaps = gaps;
  }

  /** False: the search is over. */
  async look({ path }: WalkEntry, restMs: number): Promise<boolean> {
    const { args, mode, bounds, root } = this.#job;
    const bytes = await this.#read(join(root.directory, path), bounds.fileBytes);
    if (bytes === null) return true;
    const text = decode(bytes);
    const limitMs = Math.max(1, Math.min(restMs, FILE_MS));
    const search = {
      pattern: args.pattern,
      flags: this.#flags,
      text,
      lines: args.multiline !== true,
      maxSpans: MAX_SPANS,
    };
    const { spans, complete } = await this.#context.host.regex.find(search, limitMs);
    if (!complete) {
      this.stopped = 'time';
      return false;
    }
    if (spans.length === 0) return true;
    if (mode !== 'content') return this.#job.takeFile(path, mode === 'count' ? spans.length / 2 : 0);
    return this.#takeLines(path, text, spans, isBinary(bytes));
  }

  async #read(path: string, maxBytes: number): Promise<Uint8Array | null> {
    const found = await this.#context.host.files.readRegular(path, { maxBytes, followLast: false });
    if (found.ok) return found.bytes;
    this.#gaps.unreadable += found.why === 'unreadable' || found.why === 'too-large' ? 1 : 0;
    return null;
  }

  #takeLines(path: string, text: string, spans: RegexSpans, binary: boolean): boolean {
    const { collector, args } = this.#job;
    collector.begin(path);
    if (binary) return collector.end({ binary: true });
    const lines = new LineTable(text);
    const matching = lines.matching(spans);
    for (const line of lines.around([...matching.keys()], args.before ?? 0, args.after ?? 0)) {
      collector.take({
        line: line + 1,
        match: matching.has(line),
        text: lines.text(line),
        spans: () => matching.get(line)?.map((span) => lines.toBytes(line, span)) ?? [],
      });
    }
    return collector.end();
  }
}

/** Where the lines of a text are; 0-based. */
class LineTable {
  readonly #text: string;
  readonly #starts: number[] = [0];

  constructor(text: string) {
    this.#text = text;
    for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
    // What follows the last newline is no line.
    if (this.#starts.length > 1 && this.#starts.at(-1) === text.length) this.#starts.pop();
  }

  text(line: number): string {
    return this.#text.slice(this.#start(line), this.#end(line));
  }

  /** The lines that a match touches, each with those that begin in it. */
  matching(spans: RegexSpans): Map<number, [number, number][]> {
    const found = new Map<number, [number, number][]>();
    let line = 0;
    for (let index = 0; index < spans.length; index += 2) {
      const [start = 0, end = 0] = [spans[index], spans[index + 1]];
      while (line + 1 < this.#starts.length && this.#start(line + 1) <= start) line += 1;
      const inLine = found.get(line) ?? [];
      inLine.push([start, Math.min(end, this.#end(line))]);
      found.set(line, inLine);
      for (let next = line + 1; next < this.#starts.length && this.#start(next) < end; next += 1) found.set(next, []);
    }
    return found;
  }

  around(lines: readonly number[], before: number, after: number): number[] {
    const shown = new Set<number>();
    for (const line of lines) {
      const last = Math.min(this.#starts.length - 1, line + after);
      for (let at = Math.max(0, line - before); at <= last; at += 1) shown.add(at);
    }
    return [...shown].sort((left, right) => left - right);
  }

  toBytes(line: number, [start, end]: [number, number]): Span {
    const before = byteLength(this.#text.slice(this.#start(line), start));
    return { start: before, end: before + byteLength(this.#text.slice(start, end)) };
  }

  #start(line: number): number {
    return this.#starts[line] ?? this.#text.length;
  }

  #end(line: number): number {
    const next = this.#starts[line + 1];
    if (next !== undefined) return next - 1;
    return this.#text.endsWith('\n') ? this.#text.length - 1 : this.#text.length;
  }
}

function decode(bytes: Uint8Array): string {
  const wide = wideEncoding(bytes);
  return new TextDecoder(wide ?? 'utf-8').decode(bytes);
}

function wideEncoding([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : null;
}

function isBinary(bytes: Uint8Array): boolean {
  return wideEncoding(bytes) === null && bytes.includes(0);
}
