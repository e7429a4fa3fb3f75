import type { AgentSession } from '../agent/index.ts';
import { AsyncQueue, type Diagnostic } from '../base/index.ts';
import type { Command, RunResult, StreamEvent } from '../model/index.ts';
import { type AgentOptions, assemble, createNodeHost, type HostPorts } from '../runtime/index.ts';
import type { Agent } from './agent.ts';

/**
 * An agent in a directory, ready for its first prompt. Nothing is written and nobody is asked before that. Throws
 * UsageError for a mistake in the options or the configuration, SessionError where the session cannot be had. `host`:
 * another machine than this one, for tests and demonstrations.
 */
export async function createAgent(options: AgentOptions = {}, host: HostPorts = createNodeHost()): Promise<Agent> {
  const { session, parts, config } = await assemble(options, host, { sends: true });
  return new SessionAgent(session, parts.diagnostics, config.settings.tasks.wait_ms);
}

class SessionAgent implements Agent {
  readonly diagnostics: readonly Diagnostic[];
  readonly #session: AgentSession;

  readonly #waitMs: number;

  constructor(session: AgentSession, diagnostics: readonly Diagnostic[], waitMs: number) {
    this.#waitMs = waitMs;
    this.#session = session;
    this.diagnostics = diagnostics;
  }

  get sessionId(): string | null {
    return this.result().sessionId;
  }

  get harness(): string {
    return this.#session.parts.harness.name;
  }

  subscribe(listener: (event: StreamEvent) => void): () => void {
    return this.#session.subscribe(listener);
  }

  send(command: Command): void {
    void this.#session.send(command);
  }

  async run(prompt: string): Promise<RunResult> {
    await this.#session.send({ type: 'prompt', text: prompt });
    return this.result();
  }

  runStreamed(prompt: string): { events: AsyncIterable<StreamEvent>; result: Promise<RunResult> } {
    const events = new AsyncQueue<StreamEvent>();
    const stop = this.subscribe((event) => events.push(event));
    const result = this.run(prompt).finally(() => {
      stop();
      events.close();
    });
    return { events, result };
  }

  abort(): void {
    this.#session.abort();
  }

  stopAnswering(): void {
    this.#session.stopAnswering();
  }

  idle(): Promise<void> {
    return this.#session.idle();
  }

  settle(): Promise<void> {
    return this.#session.settle(this.#waitMs);
  }

  result(): RunResult {
    return this.#session.result();
  }

  get failure(): Error | null {
    return this.#session.failure;
  }

  close(): Promise<void> {
    return this.#session.close();
  }
}
