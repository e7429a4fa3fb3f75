import { messageOf, ReinError } from '../base/index.ts';
import type { Input, InterruptSignal, Output, Stdio } from '../print/index.ts';

type Stream = NodeJS.WriteStream;

/**
 * The process's own streams. From here on only `output` reaches stdout: what anything else writes there, a
 * dependency's `console.log` included, goes to stderr, so that a reader of stdout gets results only.
 */
export function openStdio(): Stdio {
  const pending = new PendingWrites();
  const gone = new AbortController();
  let failure: string | null = null;
  const output = openOutput(process.stdout, pending, (error) => {
    if (isBrokenPipe(error)) gone.abort();
    else failure ??= error.message;
  });
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return {
    input: new ProcessInput(),
    output,
    errors: openOutput(process.stderr, pending, () => undefined),
    outputGone: gone.signal,
    outputFailure: () => failure,
    drained: () => pending.none(),
    onInterrupt: (listener) => {
      const signals: InterruptSignal[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];
      for (const signal of signals) process.on(signal, listener);
      return () => {
        for (const signal of signals) process.off(signal, listener);
      };
    },
    exit: (code) => process.exit(code),
  };
}

function isBrokenPipe(error: NodeJS.ErrnoException): boolean {
  return error.code === 'EPIPE' || error.code === 'ERR_STREAM_DESTROYED' || error.code === 'ECONNRESET';
}

/** `onError` is told of each write that failed. */
function openOutput(stream: Stream, pending: PendingWrites, onError: (error: NodeJS.ErrnoException) => void): Output {
  const write = stream.write.bind(stream);
  stream.on('error', onError);
  return {
    isTerminal: stream.isTTY === true,
    columns: stream.isTTY === true ? stream.columns : null,
    write: (text) => {
      pending.begin();
      write(text, () => pending.end());
    },
  };
}

class PendingWrites {
  #count = 0;
  #waiting: (() => void)[] = [];

  begin(): void {
    this.#count += 1;
  }

  /** Also for a write that failed. */
  end(): void {
    this.#count -= 1;
    if (this.#count > 0) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  none(): Promise<void> {
    if (this.#count === 0) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
    });
  }
}

/** stdin, read only when it is asked for. */
class ProcessInput implements Input {
  readonly isTerminal: boolean;
  #chunks: AsyncIterator<Uint8Array> | null = null;
  #released = false;

  constructor() {
    this.isTerminal = process.stdin.isTTY === true;
  }

  async read(): Promise<Uint8Array | null> {
    if (this.#released) return null;
    try {
      this.#chunks ??= process.stdin[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
      const next = await this.#chunks.next();
      return next.done === true ? null : next.value;
    } catch (error) {
      // Letting go of a stream that is being read ends the read with an error.
      if (this.#released) return null;
      throw new ReinError('stdin/unreadable', `cannot read stdin: ${messageOf(error)}`, { cause: error });
    }
  }

  release(): void {
    if (this.#released) return;
    this.#released = true;
    if (this.#chunks !== null) process.stdin.destroy();
  }
}
