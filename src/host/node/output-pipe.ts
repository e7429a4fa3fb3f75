import type { Readable } from 'node:stream';
import type { OutputChunk } from '../index.ts';

// What may wait for a slow reader; beyond it the pipes are no longer read and the child has to wait.
const HIGH_WATER_BYTES = 1024 * 1024;

// What a program that outlives its command may still write. A closed pipe would end a server at its next line, so
// it is read and thrown away, but not for ever.
const DISCARDED_BYTES = 256 * 1024 * 1024;

/** Two pipes as one sequence in order of arrival, with back-pressure. One reader. */
export class OutputPipe implements AsyncIterable<OutputChunk> {
  readonly #streams: readonly Readable[];
  readonly #chunks: OutputChunk[] = [];
  #waitingBytes = 0;
  #discardedBytes = 0;
  #openStreams: number;
  #detached = false;
  #wake: (() => void) | undefined;

  constructor(streams: Readonly<Record<OutputChunk['stream'], Readable>>) {
    const named = Object.entries(streams) as [OutputChunk['stream'], Readable][];
    this.#streams = named.map(([, stream]) => stream);
    this.#openStreams = named.length;
    for (const [stream, readable] of named) {
      readable.on('data', (bytes: Buffer) => this.#take({ stream, bytes }));
      // A pipe that breaks has ended: there is nothing else to tell about it.
      readable.on('error', () => readable.destroy());
      readable.once('close', () => {
        this.#openStreams -= 1;
        this.#notify();
      });
    }
  }

  /** Ends the sequence after what has already come. The pipes stay open and no longer keep this process alive. */
  detach(): void {
    this.#detached = true;
    for (const stream of this.#streams) {
      (stream as Readable & { unref?(): void }).unref?.();
      stream.resume();
    }
    this.#notify();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<OutputChunk> {
    for (;;) {
      for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
        this.#waitingBytes -= chunk.bytes.length;
        yield chunk;
      }
      if (this.#openStreams === 0 || this.#detached) return;
      for (const stream of this.#streams) stream.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(chunk: OutputChunk): void {
    if (this.#detached) {
      this.#discardedBytes += chunk.bytes.length;
      if (this.#discardedBytes > DISCARDED_BYTES) for (const stream of this.#streams) stream.destroy();
      return;
    }
    this.#chunks.push(chunk);
    this.#waitingBytes += chunk.bytes.length;
    if (this.#waitingBytes > HIGH_WATER_BYTES) for (const stream of this.#streams) stream.pause();
    this.#notify();
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
