import { isRecord, parseJson } from '../../base/index.ts';
import type { ToolContext } from '../contract/index.ts';
import { nameGlobs } from './file-filter.ts';
import type { GrepEngine, GrepFound, GrepJob } from './grep.ts';
import type { Span } from './line-excerpt.ts';
import { commonArguments, type RipgrepEnd, runRipgrep } from './ripgrep.ts';

/** Null: this ripgrep cannot be used. */
export function grepWithRipgrep(program: string): GrepEngine {
  return async (job, context) => {
    if (job.mode === 'content') return withLines(program, job, context);
    return withCounts(program, job, context);
  };
}

function searchArguments(job: GrepJob): string[] {
  const { args, root, inRepository, bounds } = job;
  // What it is told of names only narrows: whether a file is wanted is decided here. Two types are either of them.
  const names = args.type === undefined ? nameGlobs(args.glob).map((glob) => `--type-add=wanted:${glob}`) : [];
  return [
    ...commonArguments(args.ignored === true, inRepository),
    '--binary',
    `--max-filesize=${bounds.searchedFileBytes}`,
    ...(names.length === 0 ? [] : [...names, '--type=wanted']),
    ...(args.type === undefined ? [] : [`--type=${args.type}`]),
    ...(args.exclude ?? []).map((name) => `--glob=!${name}`),
    ...(job.oneThread ? ['--threads=1'] : []),
    ...(args.ignoreCase === true ? ['--ignore-case'] : []),
    ...(args.multiline === true ? ['--multiline', '--multiline-dotall'] : []),
    ...(job.mode === 'content'
      ? [
          '--json',
          `--max-count=${job.limit + 1}`,
          `--before-context=${args.before ?? 0}`,
          `--after-context=${args.after ?? 0}`,
        ]
      : []),
    ...(job.mode === 'files' ? ['--files-with-matches', '--null'] : []),
    ...(job.mode === 'count' ? ['--count-matches', '--with-filename', '--null'] : []),
    '--',
    args.pattern,
    root.file ?? '.',
  ];
}

async function withLines(program: string, job: GrepJob, context: ToolContext): Promise<GrepFound> {
  const { collector } = job;
  let wanted = false;
  const take = (record: Buffer, whole: boolean): boolean => {
    const event = whole ? parseJson(record.toString('utf8')) : undefined;
    if (!isRecord(event) || !isRecord(event.data)) {
      // A line too long to be looked at: the file is named.
      const goesOn = !wanted || collector.end({ overlong: true });
      wanted = false;
      return goesOn;
    }
    const { type, data } = event;
    if (type === 'begin') {
      const path = pathOf(data.path);
      wanted = job.wants(path);
      if (wanted) collector.begin(path);
    } else if (type === 'end' && wanted) return collector.end({ binary: typeof data.binary_offset === 'number' });
    else if ((type === 'match' || type === 'context') && wanted) takeLines(job, data, type === 'match');
    return true;
  };
  const end = await runRipgrep(
    program,
    { args: searchArguments(job), cwd: job.root.directory, separator: '\n', bounds: job.bounds, take },
    context,
  );
  collector.end();
  return toFound(end);
}

/** A match over several lines is one row a line. */
function takeLines({ collector }: GrepJob, data: Record<string, unknown>, match: boolean): void {
  const text = textOf(data.lines).replace(/\n$/, '');
  const first = typeof data.line_number === 'number' ? data.line_number : 0;
  const spans = (): readonly Span[] => spansOf(data.submatches);
  const lines = text.split('\n');
  for (const [index, line] of lines.entries()) {
    collector.take({ line: first + index, match, text: line, spans: lines.length === 1 ? spans : () => [] });
  }
}

async function withCounts(program: string, job: GrepJob, context: ToolContext): Promise<GrepFound> {
  let path: string | null = null;
  const take = (record: Buffer): boolean => {
    const text = record.toString('utf8');
    if (job.mode === 'files') return job.takeFile(relativePath(text), 0);
    // `NAME` NUL `COUNT` newline: the count of one file stands before the name of the next.
    const newline = path === null ? -1 : text.indexOf('\n');
    if (path !== null && newline !== -1 && !job.takeFile(path, Number(text.slice(0, newline)))) return false;
    path = relativePath(text.slice(newline + 1));
    return true;
  };
  const end = await runRipgrep(
    program,
    { args: searchArguments(job), cwd: job.root.directory, separator: '\0', bounds: job.bounds, take },
    context,
  );
  return toFound(end);
}

function toFound(end: RipgrepEnd): GrepFound {
  if (end.type === 'unusable' || end.type === 'busy') return end;
  if (end.type === 'refused') {
    return { type: 'failed', error: { code: 'grep/bad-pattern', message: `The search was refused: ${end.message}` } };
  }
  return { type: 'done', stopped: end.stopped, gaps: { unreadable: end.unreadable } };
}

function pathOf(value: unknown): string {
  return relativePath(textOf(value));
}

function relativePath(path: string): string {
  return path.startsWith('./') ? path.slice(2) : path;
}

/** ripgrep gives what is not UTF-8 as base64. */
function textOf(value: unknown): string {
  if (!isRecord(value)) return '';
  if (typeof value.text === 'string') return value.text;
  return typeof value.bytes === 'string' ? Buffer.from(value.bytes, 'base64').toString('utf8') : '';
}

function spansOf(value: unknown): Span[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((one) => {
    if (!isRecord(one) || typeof one.start !== 'number' || typeof one.end !== 'number') return [];
    return [{ start: one.start, end: one.end }];
  });
}
