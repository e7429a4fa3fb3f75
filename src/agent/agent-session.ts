import { ReinError } from '../base/index.ts';
import {
  addUsage,
  type Command,
  hasEnded,
  NO_USAGE,
  type Reminder,
  type RunResult,
  type StreamEvent,
  type TransientEvent,
  type Usage,
  type World,
} from '../model/index.ts';
import { Beside } from './beside.ts';
import { carryOutBeside, isAboutBeside, steerAgent } from './beside-commands.ts';
import { ChoiceKeeper } from './choice-keeper.ts';
import { endedReminders } from './ended-tasks.ts';
import { CommandError } from './error.ts';
import { finalText } from './final-text.ts';
import type { ActiveModel, AgentParts } from './parts.ts';
import { PromptAccount } from './prompt-account.ts';
import { runTurn, type TurnEnd } from './run-turn.ts';
import { type CommandScope, type CommandValue, carryOutCommand } from './session-commands.ts';
import { settle } from './settle.ts';
import type { ChildSession } from './subagents/child-session.ts';
import type { PromptInput } from './submission.ts';
import { takePromptParts } from './take-prompt-parts.ts';
import { isMessage, refuseEmpty, type Told, takesTime, type Work } from './work.ts';

type Listener = (event: StreamEvent) => void;
type Queued = { command: Work; abort: AbortController; done: () => void };

/** Diagnostics that are remembered, so that each is told once. */
const MAX_TOLD = 1000;
const ENDED = 'the session has ended; nothing more is taken';

/** Commands that a running turn takes at once; all others wait for their place in the queue. */
const IMMEDIATE = new Set<Command['type']>(['steer', 'abort', 'answer', 'jobs', 'subagents', 'tasks', 'stop']);

/**
 * One session's engine behind its commands and events. Commands are taken in order, one turn at a time; every
 * front end is a reader of the same stream.
 */
export class AgentSession implements ChildSession {
  readonly parts: AgentParts;
  readonly #listeners = new Set<Listener>();
  readonly #queue: Queued[] = [];
  readonly #steers: PromptInput[] = [];
  readonly #commands: Omit<CommandScope, 'signal'>;
  readonly #told = new Set<string>();
  #running: Promise<void> | null = null;
  #current: Queued | null = null;
  #tag: string | undefined;
  #moment: 'startup' | 'turn' = 'startup';
  #last: TurnEnd | null = null;
  #looked: World | null = null;
  /** The model of the last request, and the session's own at that time. */
  #used: { own: ActiveModel; model: ActiveModel } | null = null;
  #requests = 0;
  #ended = false;
  #spent: Usage = NO_USAGE;
  readonly #beside: Beside;
  #recovered: Promise<void> | null = null;
  readonly #account = new PromptAccount();
  /** Of a wait for tasks. */
  #waiting: AbortController | null = null;

  constructor(parts: AgentParts) {
    this.parts = parts;
    this.#beside = new Beside(parts, {
      open: (child) => new AgentSession(child),
      emit: (event) => this.#emitBelow(event),
      changed: (task) => {
        if (hasEnded(task)) this.#wake();
      },
    });
    this.#commands = {
      parts,
      choices: new ChoiceKeeper(parts),
      looked: () => this.#looked,
      reloaded: (world) => {
        this.#looked = world;
        this.#moment = 'turn';
      },
      tell: (diagnostic) => this.#emitTransient({ type: 'diagnostic', diagnostic }),
      emit: (event) => this.#emitTransient(event),
    };
    parts.log.onLine((line) => {
      // Not the fold's total: that is the branch's, and a rewind takes the conversation to a cheaper one.
      if (line.type === 'assistant') this.#spent = addUsage(this.#spent, line.usage);
      this.#emit(line);
    });
  }

  subscribe(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when the command was carried out (a prompt: when its turn ended). Never rejects: see `error` events. */
  send(command: Command): Promise<void> {
    if (this.#ended) {
      this.#answer(command, new CommandError('command/ended', ENDED));
      return Promise.resolve();
    }
    const isNow = command.type !== 'steer' || command.to !== undefined || this.#running !== null;
    if (IMMEDIATE.has(command.type) && isNow) return this.#takeNow(command);
    const done = this.#enqueue(command);
    if (command.type === 'prompt' && this.#current !== null && isMessage(this.#current.command)) this.#emitQueue();
    return done;
  }

  async ask(text: string): Promise<TurnEnd | null> {
    await this.#enqueue({ type: 'asked', text });
    return this.#last;
  }

  async tell(reminders: readonly Reminder[]): Promise<TurnEnd | null> {
    await this.#enqueue({ type: 'told', reminders });
    return this.#last;
  }

  get last(): TurnEnd | null {
    return this.#last;
  }

  async settle(limitMs: number): Promise<void> {
    const waiting = new AbortController();
    this.#waiting = waiting;
    await settle(limitMs, {
      parts: this.parts,
      signal: waiting.signal,
      emit: (event) => this.#emitTransient(event),
      idle: () => this.idle(),
      tasks: () => this.#beside.known,
      mayGoOn: () => !this.#ended && this.#mayGoOn(),
      tell: () => this.tell([]),
    });
    this.#waiting = null;
  }

  /** Whether the model may be asked again without a word of a person. */
  #mayGoOn(): boolean {
    return this.#last?.stop === 'end' && this.parts.harness.taskEnded !== undefined;
  }

  /** A task has ended: where nothing else is done, the model is told now. */
  #wake(): void {
    if (!this.parts.beside.wake || this.parts.depth > 0 || this.#running !== null || this.#ended || !this.#mayGoOn())
      return;
    if ((this.#beside.known?.pending().length ?? 0) > 0) void this.tell([]);
  }

  #enqueue(command: Work): Promise<void> {
    const abort = new AbortController();
    const done = new Promise<void>((resolve) => this.#queue.push({ command, abort, done: resolve }));
    this.#pump();
    return done;
  }

  /** Ends the turn that runs; where none does, that of the next message that was sent and has not begun. */
  abort(): void {
    const running = this.#current !== null && takesTime(this.#current.command) ? this.#current : undefined;
    const target = running ?? this.#queue.find(({ command }) => isMessage(command));
    target?.abort.abort();
    this.#waiting?.abort();
  }

  async idle(): Promise<void> {
    while (this.#running !== null) await this.#running;
  }

  /** Why the last message came to no good end; null: it did not fail. */
  get failure(): Error | null {
    return this.#last?.error ?? null;
  }

  get ended(): boolean {
    return this.#ended;
  }

  result(): RunResult {
    const { log, harness } = this.parts;
    const end = this.#last;
    const model = this.#used?.own === this.parts.model ? this.#used.model : this.parts.model;
    return {
      type: 'result',
      sessionId: log.path === null ? null : log.id,
      harness: harness.name,
      model: model.info === null ? null : `${model.info.provider}/${model.info.id}`,
      stopReason: end === null ? 'end' : end.stop === 'max-turns' ? 'max_turns' : end.stop,
      result: end === null ? finalText(log.state().history) : this.#account.text,
      turns: this.#requests,
      usage: this.#spent,
      cost: null,
      error: end?.error == null ? null : { kind: errorKind(end.error), message: end.error.message },
    };
  }

  /** Nobody answers questions from now on: a call that needs a person ends its turn. */
  stopAnswering(): void {
    this.parts.questions.close();
  }

  async close(): Promise<void> {
    this.#ended = true;
    this.abort();
    await this.idle();
    await this.#beside.close();
    await this.parts.log.close();
  }

  #pump(): void {
    if (this.#running !== null) return;
    this.#running = this.#drain().finally(() => {
      this.#running = null;
      if (this.#queue.length > 0) this.#pump();
      else this.#wake();
    });
  }

  async #drain(): Promise<void> {
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      this.#tag = next.command.tag;
      this.#current = next;
      await this.#take(next);
      this.#current = null;
      this.#tag = undefined;
      next.done();
    }
  }

  async #take({ command, abort }: Queued): Promise<void> {
    if (this.#ended) return this.#answer(command, new CommandError('command/ended', ENDED));
    try {
      if (command.type !== 'end') await this.#begin();
      const value = await this.#carryOut(command, abort.signal);
      this.#answer(command, null, value);
    } catch (error) {
      const failure = error instanceof Error ? error : new CommandError('command/failed', String(error));
      // A prompt that came to no turn (the log cannot be kept, a picture is missing) has failed like one that did.
      if (isMessage(command) && this.#last?.error !== failure)
        this.#last = { stop: 'error', requests: 0, error: failure, last: null };
      this.#answer(command, failure);
    }
  }

  async #begin(): Promise<void> {
    await this.parts.log.begin();
    this.#recovered ??= this.#beside.recover();
    await this.#recovered;
  }

  async #carryOut(command: Work, signal: AbortSignal): Promise<CommandValue> {
    switch (command.type) {
      case 'prompt':
      case 'steer':
        refuseEmpty(command);
        return this.#turn(
          {
            text: command.text,
            from: 'user',
            ...('parts' in command && command.parts ? { parts: await takePromptParts(this.parts, command.parts) } : {}),
          },
          signal,
        );
      case 'asked':
        return this.#turn({ text: command.text, from: 'parent' }, signal);
      case 'told':
        return this.#tellNow(command, signal);
      case 'end':
        this.#ended = true;
        return undefined;
      default:
        return carryOutCommand(command, { ...this.#commands, signal });
    }
  }

  /** Nothing, where the tasks that it was for have been told of meanwhile. */
  async #tellNow({ reminders }: Told, signal: AbortSignal): Promise<undefined> {
    if (reminders.length === 0 && (this.#beside.known?.pending().length ?? 0) === 0) return;
    await this.#turn(null, signal, reminders);
  }

  async #turn(input: PromptInput | null, signal: AbortSignal, reminders: readonly Reminder[] = []): Promise<undefined> {
    let due = reminders;
    if (input !== null) this.#account.begin();
    const end = await runTurn(input, {
      beside: this.#beside,
      asked: this.#account.requests,
      ended: async (turn) => {
        const told = due;
        due = [];
        const tasks = this.#beside.known;
        return tasks === null ? told : [...told, ...(await endedReminders(turn, this.parts, tasks))];
      },
      parts: this.parts,
      signal,
      emit: (event) => this.#emitTransient(event),
      takeSteers: () => this.#steers.splice(0),
      hasSteers: () => this.#steers.length > 0,
      moment: this.#moment,
    });
    this.#moment = 'turn';
    this.#last = end;
    this.#account.add(end.requests, this.parts.log.state().history);
    if (end.last !== null) {
      this.#looked = end.last.looked;
      this.#used = { own: this.parts.model, model: end.last.model };
    }
    this.#requests += end.requests;
    // A steer that came after the last pause is a prompt of its own.
    const late = this.#steers.splice(0);
    this.#queue.unshift(
      ...late.map(({ text }) => ({
        command: { type: 'prompt' as const, text },
        abort: new AbortController(),
        done: () => undefined,
      })),
    );
    if (end.error !== null) throw end.error;
    return undefined;
  }

  async #takeNow(command: Command): Promise<void> {
    try {
      if (isOfTasks(command) && (this.#recovered !== null || this.#beside.hasLeft)) await this.#begin();
      if (command.type === 'abort') this.abort();
      if (command.type === 'steer') {
        refuseEmpty(command);
        if (command.to === undefined) this.#steers.push({ text: command.text, from: 'steer' });
        else steerAgent(command.to, command.text, this.#beside);
      }
      if (command.type === 'answer') this.parts.questions.answer(command.id, command.value, command.feedback);
      const scope = { parts: this.parts, beside: this.#beside, looked: this.#looked };
      const value = isAboutBeside(command) ? await carryOutBeside(command, scope) : undefined;
      this.#answer(command, null, value);
    } catch (error) {
      this.#answer(command, error instanceof Error ? error : new CommandError('command/failed', String(error)));
    }
  }

  #answer(command: Work, error: Error | null, value?: Record<string, unknown>): void {
    // What the program asks of itself has no answer that somebody waits for.
    if (error === null && (command.type === 'told' || command.type === 'asked')) return;
    const tag = command.tag === undefined ? {} : { tag: command.tag };
    if (error === null) this.#send({ type: 'done', ...tag, ...(value === undefined ? {} : { value }) });
    else this.#send({ type: 'error', ...tag, code: errorKind(error), message: error.message });
  }

  #emitQueue(): void {
    const queued = this.#queue.flatMap(({ command }) => (command.type === 'prompt' ? [command.text] : []));
    this.#emitTransient({ type: 'queue-change', queued });
  }

  /** A diagnostic is told once a session. */
  #emitTransient(event: TransientEvent): void {
    if (event.type === 'diagnostic') {
      const key = JSON.stringify(event.diagnostic);
      if (this.#told.has(key)) return;
      if (this.#told.size >= MAX_TOLD) this.#told.clear();
      this.#told.add(key);
    }
    this.#emit(event);
  }

  /** What happened in a session below this one: it is told, and what it cost is part of this one's. */
  #emitBelow(event: StreamEvent): void {
    if (event.type === 'assistant') this.#spent = addUsage(this.#spent, event.usage);
    this.#send(event);
  }

  #emit(event: StreamEvent): void {
    this.#send(this.#tag === undefined ? event : { ...event, tag: this.#tag });
  }

  /** A listener that throws does not hurt the others, nor the session. */
  #send(event: StreamEvent): void {
    for (const listener of this.#listeners) {
      try {
        listener(event);
      } catch {
        this.#listeners.delete(listener);
      }
    }
  }
}

/** Such a command is about tasks as they are, not as an earlier run of the program left them. */
function isOfTasks(command: Command): boolean {
  return isAboutBeside(command) || (command.type === 'steer' && command.to !== undefined);
}

function errorKind(error: Error): string {
  return ReinError.isInstance(error) ? error.code : 'internal/unexpected';
}
