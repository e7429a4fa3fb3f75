import { isBlank, ReinError } from '../base/index.ts';
import {
  addUsage,
  type Command,
  NO_USAGE,
  type RunResult,
  type StreamEvent,
  type TransientEvent,
  type Usage,
  type World,
} from '../model/index.ts';
import { ChoiceKeeper } from './choice-keeper.ts';
import { CommandError } from './error.ts';
import { finalText } from './final-text.ts';
import type { ActiveModel, AgentParts } from './parts.ts';
import { runTurn, type TurnEnd } from './run-turn.ts';
import { type CommandScope, type CommandValue, carryOutCommand } from './session-commands.ts';
import type { PromptInput } from './submission.ts';
import { takePromptParts } from './take-prompt-parts.ts';

type Listener = (event: StreamEvent) => void;
type Queued = { command: Command; abort: AbortController; done: () => void };

/** Diagnostics that are remembered, so that each is told once. */
const MAX_TOLD = 1000;
const ENDED = 'the session has ended; nothing more is taken';

/** Commands that a running turn takes at once; all others wait for their place in the queue. */
const IMMEDIATE = new Set<Command['type']>(['steer', 'abort', 'answer']);

/**
 * One session's engine behind its commands and events. Commands are taken in order, one turn at a time; every
 * front end is a reader of the same stream.
 */
export class AgentSession {
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

  constructor(parts: AgentParts) {
    this.parts = parts;
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
    if (IMMEDIATE.has(command.type) && (this.#running !== null || command.type !== 'steer')) {
      this.#takeNow(command);
      return Promise.resolve();
    }
    const abort = new AbortController();
    const done = new Promise<void>((resolve) => this.#queue.push({ command, abort, done: resolve }));
    if (command.type === 'prompt' && this.#current !== null && isMessage(this.#current.command)) this.#emitQueue();
    this.#pump();
    return done;
  }

  /** Ends the turn that runs; where none does, that of the next message that was sent and has not begun. */
  abort(): void {
    const running = this.#current !== null && takesTime(this.#current.command) ? this.#current : undefined;
    const target = running ?? this.#queue.find(({ command }) => isMessage(command));
    target?.abort.abort();
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
    // Where nothing was asked the last answer in the history is an earlier prompt's.
    const asked = end === null || end.error === null || end.requests > 0;
    return {
      type: 'result',
      sessionId: log.path === null ? null : log.id,
      harness: harness.name,
      model: model.info === null ? null : `${model.info.provider}/${model.info.id}`,
      stopReason: end === null ? 'end' : end.stop === 'max-turns' ? 'max_turns' : end.stop,
      result: asked ? finalText(log.state().history) : '',
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
    await this.parts.log.close();
  }

  #pump(): void {
    if (this.#running !== null) return;
    this.#running = this.#drain().finally(() => {
      this.#running = null;
      if (this.#queue.length > 0) this.#pump();
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
      if (command.type !== 'end') await this.parts.log.begin();
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

  async #carryOut(command: Command, signal: AbortSignal): Promise<CommandValue> {
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
      case 'end':
        this.#ended = true;
        return undefined;
      default:
        return carryOutCommand(command, { ...this.#commands, signal });
    }
  }

  async #turn(input: PromptInput, signal: AbortSignal): Promise<undefined> {
    const end = await runTurn(input, {
      parts: this.parts,
      signal,
      emit: (event) => this.#emitTransient(event),
      takeSteers: () => this.#steers.splice(0),
      hasSteers: () => this.#steers.length > 0,
      moment: this.#moment,
    });
    this.#moment = 'turn';
    this.#last = end;
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

  #takeNow(command: Command): void {
    try {
      if (command.type === 'abort') this.abort();
      if (command.type === 'steer') {
        refuseEmpty(command);
        this.#steers.push({ text: command.text, from: 'steer' });
      }
      if (command.type === 'answer') this.parts.questions.answer(command.id, command.value, command.feedback);
      this.#answer(command, null);
    } catch (error) {
      this.#answer(command, error instanceof Error ? error : new CommandError('command/failed', String(error)));
    }
  }

  #answer(command: Command, error: Error | null, value?: Record<string, unknown>): void {
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

/** A message without content would be refused by the server, with every request of the session after it. */
function refuseEmpty(command: Extract<Command, { text: string }>): void {
  const hasParts = 'parts' in command && (command.parts ?? []).length > 0;
  if (isBlank(command.text) && !hasParts) {
    throw new CommandError('command/invalid', `${command.type}: there is nothing in it`);
  }
}

function errorKind(error: Error): string {
  return ReinError.isInstance(error) ? error.code : 'internal/unexpected';
}

/** What a person may want to end: a turn, and the writing of a summary. */
function takesTime(command: Command): boolean {
  return isMessage(command) || command.type === 'compact';
}

/** What starts a turn when none runs. */
function isMessage(command: Command): boolean {
  return command.type === 'prompt' || command.type === 'steer';
}
