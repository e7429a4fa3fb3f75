import { join } from 'node:path';
import { type ChildProcess, ProcessError } from '../../host/index.ts';
import type { SearchStop, ToolContext } from '../contract/index.ts';
import type { SearchBounds } from './search-bounds.ts';

/**
 * Where ripgrep may be, the best first: the packaged one, then those on the path. Only absolute directories outside of
 * the working directory count: a repository must not bring the program that searches it.
 */
export async function findRipgrep({ host, cwd, childEnv }: ToolContext): Promise<string[]> {
  const packaged = await host.process.packaged('rg');
  const found = packaged === null ? [] : [packaged];
  const name = host.env.platform() === 'win32' ? 'rg.exe' : 'rg';
  const real = (await host.files.realPath(cwd)) ?? cwd;
  for (const directory of (childEnv.PATH ?? '').split(host.env.platform() === 'win32' ? ';' : ':')) {
    if (!directory.startsWith('/')) continue;
    const path = await host.files.realPath(join(directory, name)).catch(() => null);
    if (path === null || path.startsWith(`${real}/`)) continue;
    const facts = await host.files.stat(path).catch(() => null);
    if (facts?.kind === 'file' && (facts.mode & 0o111) !== 0 && !found.includes(path)) found.push(path);
  }
  return found;
}

export type RipgrepRun = {
  args: readonly string[];
  cwd: string;
  /** What ends a record: a newline, or a NUL. */
  separator: '\n' | '\0';
  bounds: SearchBounds;
  /** One record without its end; of one that is too long the beginning, and `whole` is false. False: enough. */
  take(record: Buffer, whole: boolean): boolean;
};

export type RipgrepEnd =
  /** It cannot be used: not there, or too old for what it was asked. */
  | { type: 'unusable' }
  /** The system had no threads or no memory to spare for it. */
  | { type: 'busy' }
  /** It refused what it was asked. */
  | { type: 'refused'; message: string }
  | { type: 'done'; stopped: SearchStop | null; unreadable: number };

const ERROR_BYTES = 16 * 1024;

/** Settings of the machine, and ignore files other than `.gitignore`, have no say. */
const COMMON = [
  '--no-config',
  '--color=never',
  '--hidden',
  '--no-ignore-global',
  '--no-ignore-exclude',
  '--no-ignore-dot',
  '--sort=path',
  '--glob=!.git',
];

/** `inRepository`: as `.gitignore` files count, see `TreeWalk`. */
export function commonArguments(ignored: boolean, inRepository: boolean): string[] {
  if (ignored) return [...COMMON, '--no-ignore'];
  return inRepository ? [...COMMON] : [...COMMON, '--no-require-git', '--no-ignore-parent'];
}

/** Runs it and hands on its records as they come; ends it when there are enough, or too many, or the time is up. */
export async function runRipgrep(program: string, run: RipgrepRun, context: ToolContext): Promise<RipgrepEnd> {
  const { host, signal } = context;
  let child: ChildProcess;
  try {
    child = await host.process.spawn({ file: program, args: run.args, cwd: run.cwd, env: {} });
  } catch (error) {
    if (error instanceof ProcessError) return { type: 'unusable' };
    throw error;
  }
  let stopped: SearchStop | 'enough' | null = null;
  const end = (why: SearchStop | 'enough'): void => {
    stopped ??= why;
    child.killGroup('SIGKILL');
    child.detachOutput();
  };
  const over = new AbortController();
  const onAbort = (): void => end('aborted');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();
  void host.clock.sleep(run.bounds.timeMs, over.signal).then(() => {
    if (!over.signal.aborted) end('time');
  });
  const records = new RecordReader(run);
  const errors: Buffer[] = [];
  let errorBytes = 0;
  for await (const { stream, bytes } of child.output) {
    if (stopped !== null) continue;
    if (stream === 'stdout') {
      const verdict = records.push(Buffer.from(bytes));
      if (verdict !== null) end(verdict);
    } else if (errorBytes < ERROR_BYTES) {
      errorBytes += bytes.length;
      errors.push(Buffer.from(bytes));
    }
  }
  signal.removeEventListener('abort', onAbort);
  over.abort();
  if (stopped !== null) return { type: 'done', stopped: stopped === 'enough' ? null : stopped, unreadable: 0 };
  const { code } = await child.exited;
  if (!records.finish()) return { type: 'done', stopped: null, unreadable: 0 };
  return ended(code, Buffer.concat(errors).toString('utf8').slice(0, ERROR_BYTES));
}

/** Files that could not be read are told on stderr, and the exit code is 2 for those too. */
function ended(code: number | null, errors: string): RipgrepEnd {
  if (code !== 0 && /\bos error 11\b|Resource temporarily unavailable/.test(errors)) return { type: 'busy' };
  const lines = errors.split('\n').filter((line) => line.trim() !== '');
  const unreadable = lines.filter((line) => /\(os error \d+\)$/.test(line)).length;
  const others = lines.filter((line) => !/\(os error \d+\)$/.test(line));
  if (code === 0 || code === 1 || (unreadable > 0 && others.length === 0))
    return { type: 'done', stopped: null, unreadable };
  if (/unrecognized flag|Found argument|wasn't expected/.test(errors) || others.length === 0)
    return { type: 'unusable' };
  return { type: 'refused', message: others.join('\n').replace(/^rg: /, '') };
}

/** Cuts the output into records without keeping more of one than is looked at. */
class RecordReader {
  readonly #run: RipgrepRun;
  readonly #separator: number;
  #open: Buffer[] = [];
  #openBytes = 0;
  #total = 0;

  constructor(run: RipgrepRun) {
    this.#run = run;
    this.#separator = run.separator.charCodeAt(0);
  }

  push(bytes: Buffer): 'enough' | 'extent' | null {
    this.#total += bytes.length;
    let start = 0;
    for (let end = bytes.indexOf(this.#separator); end !== -1; end = bytes.indexOf(this.#separator, start)) {
      this.#keep(bytes.subarray(start, end));
      if (!this.#close()) return 'enough';
      start = end + 1;
    }
    this.#keep(bytes.subarray(start));
    return this.#total > this.#run.bounds.outputBytes ? 'extent' : null;
  }

  /** The record that no separator ended. False: enough. */
  finish(): boolean {
    return this.#openBytes === 0 || this.#close();
  }

  #keep(bytes: Buffer): void {
    if (this.#openBytes <= this.#run.bounds.outputLine) this.#open.push(bytes);
    this.#openBytes += bytes.length;
  }

  #close(): boolean {
    const whole = this.#openBytes <= this.#run.bounds.outputLine;
    const record = this.#open.length === 1 ? (this.#open[0] ?? Buffer.alloc(0)) : Buffer.concat(this.#open);
    this.#open = [];
    this.#openBytes = 0;
    return this.#run.take(record, whole);
  }
}
