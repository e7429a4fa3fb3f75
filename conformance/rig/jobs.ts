import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type RehearsalReply, reply } from '../../src/testing/index.ts';
import { messagesOf, type RunOptions, type Workspace, workspace } from '../rig.ts';
import type { Tree } from './files.ts';
import type { Line, StreamSession } from './stream-session.ts';
import type { ModelCall } from './tool-results.ts';

/** How the model of a harness speaks of what runs in the background. */
export type JobWords = {
  harness: 'rein' | 'polytoken';
  start(command: string, more?: { seconds?: number }): ModelCall;
  /** In the foreground. */
  run(command: string): ModelCall;
  list(all?: boolean): ModelCall;
  show(id: string, tail?: number): ModelCall;
  wait(ids: readonly string[], seconds: number): ModelCall;
  stop(id: string): ModelCall;
};

const DESCRIPTION = 'the work';

export const JOB_WORDS: readonly JobWords[] = [
  {
    harness: 'rein',
    start: (command, { seconds: timeout } = {}) => [
      'shell',
      { command, background: true, description: DESCRIPTION, ...(timeout === undefined ? {} : { timeout }) },
    ],
    run: (command) => ['shell', { command }],
    list: (all = false) => ['job', { action: 'list', all }],
    show: (id, tail) => ['job', { action: 'show', ids: id, ...(tail === undefined ? {} : { tail }) }],
    wait: (ids, seconds) => ['job', { action: 'wait', ids, all: true, seconds }],
    stop: (id) => ['job', { action: 'stop', ids: id }],
  },
  {
    harness: 'polytoken',
    start: (command, { seconds } = {}) => [
      'shell_monitor',
      { command, description: DESCRIPTION, ...(seconds === undefined ? {} : { timeout_seconds: seconds }) },
    ],
    run: (command) => ['shell_exec', { command }],
    list: (all = false) => ['list_jobs', { all }],
    show: (id, tail) =>
      tail === undefined ? ['job_status', { handle: id }] : ['job_result', { handle: id, limit: tail }],
    wait: (ids, seconds) => ['job_block', { handle: ids, timeout_seconds: seconds }],
    stop: (id) => ['job_cancel', { handle: id }],
  },
];

export function jobCalls(...made: readonly ModelCall[]): RehearsalReply {
  return reply.calls(made.map(([name, args]) => ({ name, arguments: { ...args } })));
}

/** Blocks a command until the project has that file; not for ever, should a test fail. */
export function gate(file: string): string {
  return `n=0; until [ -e ${file} ] || [ $n -gt 900 ]; do n=$((n+1)); sleep 0.05; done`;
}

/** Blocks a foreground command until the log of a session has as many jobs in that state. */
export function untilLogged(state: string, many = 1): string {
  const log = '"$HOME"/.local/state/rein/sessions';
  return `n=0; until [ "$(grep -rhs '"type":"task".*"state":"${state}"' --include=*.jsonl ${log} | wc -l)" -ge ${many} ] || [ $n -gt 400 ]; do n=$((n+1)); sleep 0.05; done`;
}

/** A workspace whose model says, from request to request, what the test has put in `replies` by then. */
export class JobRun {
  readonly w: Workspace;
  readonly words: JobWords;
  readonly replies: RehearsalReply[];

  private constructor(w: Workspace, words: JobWords, replies: RehearsalReply[]) {
    this.w = w;
    this.words = words;
    this.replies = replies;
  }

  static async open(words: JobWords, tree: Tree = {}): Promise<JobRun> {
    const replies: RehearsalReply[] = [];
    const w = await workspace({ '.git/': null, ...tree }, { harness: words.harness, replies });
    return new JobRun(w, words, replies);
  }

  /** Everything is allowed. */
  stream(args: readonly string[] = [], options: RunOptions = {}): StreamSession {
    return this.w.stream(['--permission-mode', 'yolo', ...args], options);
  }

  print(args: readonly string[] = [], options: RunOptions = {}): ReturnType<Workspace['run']> {
    return this.w.run(['-p', '--permission-mode', 'yolo', ...args, 'go'], options);
  }

  /** The model will make these calls, each list in one answer, and then say so. */
  will(...batches: readonly (readonly ModelCall[])[]): void {
    this.replies.push(...batches.map((batch) => jobCalls(...batch)), reply.text('said'));
  }

  /** One turn of such calls; returns what the model was told of the last one. */
  async turn(s: StreamSession, ...batches: readonly (readonly ModelCall[])[]): Promise<string> {
    this.will(...batches);
    await s.prompt('go');
    return this.results().at(-1) ?? '';
  }

  /** Waits until a job has written that. */
  async wrote(text: string): Promise<void> {
    for (let polls = 0; polls < 400; polls += 1) {
      if (jobFiles(this.w).some(({ output }) => readFileSync(output, 'utf8') === text)) return;
      await pause();
    }
    throw new Error(`no job wrote ${text}`);
  }

  open(file: string): void {
    writeFileSync(this.w.path(file), '');
  }

  /** What the model was told of its calls with the last request, without what differs from run to run. */
  results(): string[] {
    return messagesOf(this.w.requests().at(-1)).flatMap(({ role, content }) =>
      role === 'tool' ? [this.plain(content ?? '')] : [],
    );
  }

  /** The ends that the model was told of with that request, in their order. */
  told(at = -1): string[] {
    return messagesOf(this.w.requests().at(at)).flatMap(({ role, content }) =>
      role === 'user' && content?.includes(' has ended: ') ? [this.plain(content)] : [],
    );
  }

  plain(text: string): string {
    return text
      .replaceAll(this.w.home, '~')
      .replaceAll(/~\/\.local\/state\/rein\/sessions\/\S*?\.files\//g, 'FILES/')
      .replaceAll(/bash-[a-z0-9]{8}/g, 'JOB')
      .replaceAll(/ after \d+ s(?! of)/g, ' after N s');
  }
}

export type JobLine = { id: string; state: string; detail: Record<string, unknown> };

export async function jobsOf(s: StreamSession): Promise<JobLine[]> {
  const { jobs } = (await s.carryOut({ type: 'jobs' })) as { jobs: JobLine[] };
  return jobs;
}

/** The id of the newest. */
export async function newestJob(s: StreamSession): Promise<string> {
  return (await jobsOf(s))[0]?.id ?? '';
}

/** Until a job is over, counted from the last line that was waited for. */
export function untilEnded(s: StreamSession): Promise<Line> {
  return s.until(({ type, state }) => type === 'task' && state !== 'starting' && state !== 'running');
}

/** Where the session of that stream keeps what its jobs wrote. */
export function jobFiles(w: Workspace): { output: string; exit: string }[] {
  const root = join(w.home, '.local/state/rein/sessions');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/tasks\/[^/]+\/output$/.test(name))
    .map((name) => ({ output: join(root, name), exit: join(root, dirname(name), 'exit') }));
}

function pause(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 50));
}

/** Waits for a file, and reads it. */
export async function appears(path: string): Promise<string> {
  for (let polls = 0; polls < 400; polls += 1) {
    if (existsSync(path)) {
      const text = readFileSync(path, 'utf8');
      if (text !== '') return text;
    }
    await pause();
  }
  throw new Error(`${path} did not come`);
}

/** Whether a process runs: one that only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
