import type { Input, InterruptSignal, Output, Stdio } from '../../src/print/index.ts';

/** What stdin does: gives these texts or bytes and ends; stays open after them; or is a terminal. */
export type FakeInput = {
  chunks?: readonly (string | Uint8Array)[];
  /** Nobody closes it. */
  open?: boolean;
  terminal?: boolean;
};

export type FakeStdioOptions = { input?: FakeInput; outputTerminal?: boolean; columns?: number };

/** In-memory streams. */
export class FakeStdio implements Stdio {
  readonly input: FakeInputStream;
  readonly output: FakeOutput;
  readonly errors: FakeOutput;
  exited: number | null = null;
  failure: string | null = null;
  readonly #gone = new AbortController();
  readonly #listeners = new Set<(signal: InterruptSignal) => void>();

  constructor(options: FakeStdioOptions = {}) {
    this.input = new FakeInputStream(options.input ?? {});
    this.output = new FakeOutput(options.outputTerminal ?? false, options.columns ?? null);
    this.errors = new FakeOutput(false, null);
  }

  get outputGone(): AbortSignal {
    return this.#gone.signal;
  }

  outputFailure(): string | null {
    return this.failure;
  }

  drained(): Promise<void> {
    return Promise.resolve();
  }

  onInterrupt(listener: (signal: InterruptSignal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  exit(code: number): void {
    this.exited ??= code;
  }

  /** As if the person had pressed Ctrl-C, or the system had asked. */
  interrupt(signal: InterruptSignal = 'SIGINT'): void {
    for (const listener of this.#listeners) listener(signal);
  }

  breakPipe(): void {
    this.#gone.abort();
  }
}

class FakeOutput implements Output {
  text = '';
  readonly isTerminal: boolean;
  readonly columns: number | null;

  constructor(isTerminal: boolean, columns: number | null) {
    this.isTerminal = isTerminal;
    this.columns = columns;
  }

  write(text: string): void {
    this.text += text;
  }

  /** Lines, parsed. */
  json(): unknown[] {
    return this.text
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
  }
}

class FakeInputStream implements Input {
  readonly isTerminal: boolean;
  released = false;
  reads = 0;
  readonly #chunks: Uint8Array[];
  #open: boolean;
  #waiting: (() => void) | null = null;

  constructor({ chunks = [], open = false, terminal = false }: FakeInput) {
    this.isTerminal = terminal;
    this.#chunks = chunks.map((chunk) => (typeof chunk === 'string' ? Buffer.from(chunk) : chunk));
    this.#open = open;
  }

  async read(): Promise<Uint8Array | null> {
    this.reads += 1;
    for (;;) {
      const chunk = this.released ? undefined : this.#chunks.shift();
      if (chunk !== undefined) return chunk;
      if (this.released || !this.#open) return null;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }

  release(): void {
    this.released = true;
    this.#waiting?.();
  }

  send(text: string): void {
    this.#chunks.push(Buffer.from(text));
    this.#waiting?.();
  }

  end(): void {
    this.#open = false;
    this.#waiting?.();
  }
}
