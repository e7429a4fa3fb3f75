import type { Diagnostic } from '../base/index.ts';
import type { Command, RunResult, StreamEvent } from '../model/index.ts';

export interface Agent {
  /** Null until something was logged, and for a session without a log. */
  readonly sessionId: string | null;
  readonly harness: string;
  /** What is worth telling before the first prompt: settings, notices, what was ignored. */
  readonly diagnostics: readonly Diagnostic[];
  /** Every line of the log as it is appended, and the transient events. Returns the end of the subscription. */
  subscribe(listener: (event: StreamEvent) => void): () => void;
  /** Commands are taken in order; each is answered with `done` or `error`, with its tag. */
  send(command: Command): void;
  /** One prompt to its end. */
  run(prompt: string): Promise<RunResult>;
  /** The same, with the events on the way. */
  runStreamed(prompt: string): {
    events: AsyncIterable<StreamEvent>;
    result: Promise<RunResult>;
  };
  /** Ends the running turn; the partial answer is kept. */
  abort(): void;
  /** Nobody answers its questions from now on: what waits for a person ends the run. */
  stopAnswering(): void;
  /** Resolves when nothing runs and nothing is queued. */
  idle(): Promise<void>;
  /**
   * Waits for what still runs in the background, as long as the settings say (`tasks.wait_ms`), and has the model answer
   * to each end. An abort ends the wait.
   */
  settle(): Promise<void>;
  /** The sum of everything since this agent was opened. */
  result(): RunResult;
  /** Why the last message came to no good end; null: it did not fail. A UsageError: a person can put it right. */
  readonly failure: Error | null;
  close(): Promise<void>;
}
