/** SIGHUP: the terminal was closed. */
export type InterruptSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/** What comes in. One reader. */
export interface Input {
  readonly isTerminal: boolean;
  /** The next bytes; null at the end, and after `release`. Throws ReinError `stdin/unreadable`. */
  read(): Promise<Uint8Array | null>;
  /** Reads no more, so that the process can end while the other side stays open. */
  release(): void;
}

/** What goes out. Writes keep their order and never throw. */
export interface Output {
  readonly isTerminal: boolean;
  /** Of a terminal; null elsewhere. */
  readonly columns: number | null;
  write(text: string): void;
}

/** The program's three streams, its signals and its end: all that a front end without a screen needs of the process. */
export interface Stdio {
  readonly input: Input;
  readonly output: Output;
  readonly errors: Output;
  /** Aborts when nobody reads `output` any more (a broken pipe). */
  readonly outputGone: AbortSignal;
  /** The first write to `output` that failed otherwise (a full disk), in the system's words. */
  outputFailure(): string | null;
  /** Resolves when all that was written was taken, or nobody is there to take it. */
  drained(): Promise<void>;
  /** Returns the end of the subscription. Without a listener a signal ends the process. */
  onInterrupt(listener: (signal: InterruptSignal) => void): () => void;
  /** Ends the process now, whatever is pending. */
  exit(code: number): void;
}
