import type { Diagnostic } from '../../src/base/index.ts';
import { type Command, NO_USAGE, type RunResult, type StreamEvent } from '../../src/model/index.ts';
import type { Agent, AgentOptions } from '../../src/sdk/index.ts';

export type Scripted = {
  diagnostics?: readonly Diagnostic[];
  /** Played for each prompt, before it ends. */
  events?: readonly StreamEvent[];
  result?: Partial<RunResult>;
  /** The turn goes on until it is aborted. */
  endless?: boolean;
  throws?: Error;
  failure?: Error;
};

export const RESULT: RunResult = {
  type: 'result',
  sessionId: 's1',
  harness: 'rein',
  model: 'test/model',
  stopReason: 'end',
  result: 'the answer',
  turns: 1,
  usage: NO_USAGE,
  cost: null,
  error: null,
};

/** An agent that plays what it is told and remembers what it was asked. */
export class FakeAgent implements Agent {
  readonly sessionId = 's1';
  readonly harness = 'rein';
  readonly diagnostics: readonly Diagnostic[];
  readonly prompts: string[] = [];
  readonly commands: Command[] = [];
  options: AgentOptions | null = null;
  aborted = false;
  answering = true;
  closed = false;
  readonly #script: Scripted;
  readonly #listeners = new Set<(event: StreamEvent) => void>();
  #stop: (() => void) | null = null;

  constructor(script: Scripted = {}) {
    this.#script = script;
    this.diagnostics = script.diagnostics ?? [];
  }

  /** What print mode is given in place of the sdk's. */
  readonly create = async (options: AgentOptions): Promise<Agent> => {
    this.options = options;
    return this;
  };

  subscribe(listener: (event: StreamEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  send(command: Command): void {
    this.commands.push(command);
    if (command.type === 'abort') this.abort();
    const tag = command.tag === undefined ? {} : { tag: command.tag };
    this.emit({ type: 'done', ...tag });
  }

  async run(prompt: string): Promise<RunResult> {
    this.prompts.push(prompt);
    for (const event of this.#script.events ?? []) this.emit(event);
    if (this.#script.throws !== undefined) throw this.#script.throws;
    await this.idle();
    return this.result();
  }

  runStreamed(): never {
    throw new TypeError('not played');
  }

  abort(): void {
    this.aborted = true;
    this.#stop?.();
  }

  stopAnswering(): void {
    this.answering = false;
  }

  async idle(): Promise<void> {
    if (this.#script.endless !== true || this.aborted) return;
    await new Promise<void>((resolve) => {
      this.#stop = resolve;
    });
  }

  settle(): Promise<void> {
    return this.idle();
  }

  result(): RunResult {
    return { ...RESULT, ...this.#script.result, ...(this.aborted ? { stopReason: 'aborted' as const } : {}) };
  }

  get failure(): Error | null {
    return this.#script.failure ?? null;
  }

  async close(): Promise<void> {
    this.closed = true;
  }

  emit(event: StreamEvent): void {
    for (const listener of this.#listeners) listener(event);
  }
}
