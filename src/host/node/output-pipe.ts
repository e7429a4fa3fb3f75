import type { Readable } from 'node:stream';
import type { OutputChunk } from '../index.ts';

// What may wait for a slow reader; beyond it the pipes are no longer read and the child has to wait.
const HIGH_WATER_BYTES = 1024 * 1024;

/** Two pipes as one sequence in order of arrival, with back-pressure. One reader. */
export class OutputPipe implements AsyncIterable<OutputChunk> {
  readonly #streams: readonly Readable[];
  readonly #chunks: OutputChunk[] = [];
  #waitingBytes = 0;
  #openStreams: number;
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

  /** Nothing more is taken from the pipes; what has already come is still delivered. */
  detach(): void {
    for (const stream of this.#streams) stream.destroy();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<OutputChunk> {
    for (;;) {
      for (let chunk = this.#chunks.shift(); chunk !== undefined; chunk = this.#chunks.shift()) {
        this.#waitingBytes -= chunk.bytes.length;
        yield chunk;
      }
      if (this.#openStreams === 0) return;
      for (const stream of this.#streams) stream.resume();
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  #take(chunk: OutputChunk): void {
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
