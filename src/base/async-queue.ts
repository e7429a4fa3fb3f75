/** A channel from one writer to one reader: values wait until they are read; `close` ends the reader's loop. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  readonly #values: T[] = [];
  #waiting: (() => void) | undefined;
  #closed = false;
  #failure: { error: unknown } | undefined;

  push(value: T): void {
    if (this.#closed) return;
    this.#values.push(value);
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** The reader gets what was pushed before, then this error. */
  fail(error: unknown): void {
    if (this.#closed) return;
    this.#failure = { error };
    this.close();
  }

  get size(): number {
    return this.#values.length;
  }

  async *[Symbol.asyncIterator](): AsyncIterator<T> {
    for (;;) {
      while (this.#values.length > 0) yield this.#values.shift() as T;
      if (this.#failure !== undefined) throw this.#failure.error;
      if (this.#closed) return;
      await new Promise<void>((resolve) => {
        this.#waiting = resolve;
      });
    }
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.();
  }
}
