import { join } from 'node:path';
import { messageOf, ReinError, screenLine } from '../../base/index.ts';
import type { ChildProcess, HostPorts } from '../../host/index.ts';
import { hasEnded, type Task, type TaskDetail, type TaskState, type ToolFailure } from '../../model/index.ts';
import type { SessionLog } from '../../session/index.ts';
import type { CommandSpec, OutputWindow, TaskOutput, TaskPort } from '../../tools/contract/index.ts';
import { type Watched, watchCommand } from './command-watch.ts';
import { readOutput } from './read-output.ts';
import { type Recovery, recoverTasks } from './recover-tasks.ts';
import { identityOf, type Spool, spawnSpooled, spoolOf, TASK_MARK } from './spooled-command.ts';
import { TaskBoard } from './task-board.ts';

export type TaskServiceOptions = {
  host: HostPorts;
  log: SessionLog;
  /** Null: the session keeps no files. */
  spillDirectory: string | null;
  /** Commands that run at once. */
  mostCommands: number;
  mask(text: string): string;
};

export type AgentSpecs = {
  id: string;
  description: string;
  agent: { name: string; session: string };
  notify: 'always' | 'never';
  timeoutMs: number | null;
};

/** An agent of this program as a task: its notes, and the wish of others that it end. */
export interface AgentTask {
  readonly id: string;
  /** Aborted by a cancel, a time-out (an Error named TimeoutError) or the end of the session. */
  readonly signal: AbortSignal;
  running(): void;
  end(state: TaskState, detail: TaskDetail): void;
}

const ID_LETTERS = 'abcdefghijklmnopqrstuvwxyz0123456789';
const ID_LENGTH = 8;
/** A task stands in one line of a list. */
const DESCRIPTION_LENGTH = 200;

/** The commands and agents that run beside one session's conversation. */
export class TaskService implements TaskPort {
  readonly #options: TaskServiceOptions;
  readonly #board: TaskBoard;
  readonly #cancels = new Map<string, AbortController>();
  /** Resolves when the task has ended, or is left alone. */
  readonly #ends = new Map<string, Promise<void>>();
  readonly #left = new AbortController();

  constructor(options: TaskServiceOptions) {
    this.#options = options;
    this.#board = new TaskBoard(options.log);
  }

  onChange(listener: (task: Task) => void): void {
    this.#board.onChange(listener);
  }

  list(): readonly Task[] {
    return this.#board.all().reverse();
  }

  get(id: string): Task | null {
    return this.#board.get(id);
  }

  running(): readonly Task[] {
    return this.#board.all().filter((task) => !hasEnded(task));
  }

  /** Of which the model will be told, whatever comes of them. */
  awaited(): readonly Task[] {
    return this.running().filter(({ detail }) => detail.notify === 'always');
  }

  /** Ends that the model is still to be told, the oldest first. */
  pending(): readonly Task[] {
    const { told } = this.#options.log.state();
    return this.#board.ended().filter((task) => isTold(task) && !told.includes(task.id));
  }

  async startCommand(spec: CommandSpec): Promise<{ task: Task } | { error: ToolFailure }> {
    const { host, spillDirectory, mostCommands } = this.#options;
    if (spillDirectory === null) return failure('tasks/no-place', NO_PLACE);
    const running = this.running().filter(({ kind }) => kind === 'command').length;
    if (running >= mostCommands) {
      const message = `${running} commands are running in the background, as many as may at once. Wait for one to end, or stop one.`;
      return failure('tasks/too-many', message);
    }
    const id = this.#newId('bash');
    const spool = spoolOf(join(spillDirectory, 'tasks', id));
    const { command, cwd, notify, timeoutMs } = spec;
    const description = screenLine(spec.description, DESCRIPTION_LENGTH);
    const detail = { description, command, cwd, notify, timeoutMs, output: spool.output };
    this.#board.begin({ id, kind: 'command', state: 'starting', detail });
    // From now on it can be cancelled: what is still being started ends once it runs.
    this.#cancels.set(id, new AbortController());
    const started = this.#spawn(id, spec, spool, host);
    this.#ends.set(
      id,
      started.then(
        ({ end }) => end,
        () => undefined,
      ),
    );
    return { task: (await started).task };
  }

  newAgentId(): string {
    return this.#newId('agent');
  }

  beginAgent({ id, ...specs }: AgentSpecs): AgentTask {
    const detail = { ...specs, description: screenLine(specs.description, DESCRIPTION_LENGTH) };
    const abort = new AbortController();
    this.#cancels.set(id, abort);
    let ended: () => void = () => undefined;
    this.#ends.set(id, new Promise((resolve) => (ended = resolve)));
    this.#board.begin({ id, kind: 'agent', state: 'starting', detail });
    const over = new AbortController();
    if (detail.timeoutMs !== null) void this.#timeOut(abort, detail.timeoutMs, over.signal);
    return {
      id,
      signal: abort.signal,
      running: () => this.#board.change(id, 'running'),
      end: (state, end) => {
        over.abort();
        this.#cancels.delete(id);
        this.#board.change(id, state, end);
        ended();
      },
    };
  }

  async wait(ids: readonly string[], until: 'any' | 'all', ms: number, signal: AbortSignal): Promise<void> {
    const over = new AbortController();
    const ends = ids.map((id) => this.#ends.get(id) ?? Promise.resolve());
    const ended = until === 'any' && ends.length > 0 ? Promise.race(ends) : Promise.all(ends);
    const either = AbortSignal.any([signal, over.signal]);
    await Promise.race([ended, this.#options.host.clock.sleep(ms, either)]);
    over.abort();
  }

  async cancel(id: string, reason: string): Promise<Task | null> {
    this.#cancels.get(id)?.abort(reason);
    await this.#ends.get(id);
    return this.#board.get(id);
  }

  async output(id: string, window: OutputWindow): Promise<TaskOutput | null> {
    const { host, mask } = this.#options;
    const path = this.#board.get(id)?.detail.output;
    return path === undefined ? null : readOutput(path, window, { host, mask });
  }

  /** Settles what an earlier run of the program left behind; nothing of this run may have begun. */
  async recover(recovery: Recovery): Promise<void> {
    const { host } = this.#options;
    const kept = await recoverTasks(this.#board, recovery, host);
    for (const { task, ...command } of kept) this.#ends.set(task.id, this.#watch(task.id, command));
  }

  /** Ends what runs; with `keep` commands are left alone. */
  async close({ keep }: { keep: boolean }): Promise<void> {
    if (keep) this.#left.abort();
    for (const task of this.running()) {
      if (!keep || task.kind === 'agent') this.#cancels.get(task.id)?.abort(CLOSED);
    }
    await Promise.all(this.#ends.values());
  }

  /** `end`: resolves when it has ended. */
  async #spawn(
    id: string,
    spec: CommandSpec,
    spool: Spool,
    host: HostPorts,
  ): Promise<{ task: Task; end: Promise<void> }> {
    const outer = spec.env[TASK_MARK];
    const mark = { variable: TASK_MARK, value: outer === undefined ? id : `${outer},${id}` };
    let child: ChildProcess;
    try {
      child = await spawnSpooled(spec, spool, mark, host);
    } catch (error) {
      this.#cancels.delete(id);
      this.#board.change(id, 'failed', { exitCode: null, reason: `it was not started: ${messageOf(error)}` });
      if (!ReinError.isInstance(error)) throw error;
      return { task: this.#board.get(id) as Task, end: Promise.resolve() };
    }
    const process = { ...(await identityOf(child, host)), mark };
    this.#board.change(id, 'running', { process });
    const end = this.#watch(id, { family: child, spool, timeoutMs: spec.timeoutMs });
    return { task: this.#board.get(id) as Task, end };
  }

  #watch(id: string, command: Pick<Watched, 'family' | 'spool' | 'timeoutMs'>): Promise<void> {
    const cancel = this.#cancels.get(id) ?? new AbortController();
    this.#cancels.set(id, cancel);
    const watched = { ...command, cancelled: cancel.signal, left: this.#left.signal };
    const done = watchCommand(watched, this.#options.host)
      .catch((error: unknown) => ({ state: 'failed' as const, detail: { reason: messageOf(error) } }))
      .then((end) => {
        this.#cancels.delete(id);
        if (end !== null) this.#board.change(id, end.state, end.detail);
      })
      // A log that takes no more notes says so to whoever writes to it next; the next run finds the exit code.
      .catch(() => undefined);
    return done;
  }

  async #timeOut(abort: AbortController, ms: number, over: AbortSignal): Promise<void> {
    await this.#options.host.clock.sleep(ms, over);
    if (over.aborted) return;
    const reason = new DOMException(`timed out after ${Math.round(ms / 100) / 10} s`, 'TimeoutError');
    abort.abort(reason);
  }

  #newId(prefix: string): string {
    for (;;) {
      const bytes = [...this.#options.host.random.bytes(ID_LENGTH)];
      const id = `${prefix}-${bytes.map((byte) => ID_LETTERS[byte % ID_LETTERS.length]).join('')}`;
      if (this.#board.get(id) === null) return id;
    }
  }
}

const CLOSED = 'the session was closed';
const NO_PLACE = 'This session keeps no files (--no-session), so that no command can run in the background.';

function failure(code: string, message: string): { error: ToolFailure } {
  return { error: { code, message } };
}

function isTold({ state, detail }: Task): boolean {
  return detail.notify === 'always' || (detail.notify === 'on-failure' && state !== 'completed');
}
