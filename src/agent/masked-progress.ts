/**
 * Passes on a command's output line by line, so that a secret cut in two by a chunk's border is still recognised.
 * A line longer than `maxHeld` characters is passed on in pieces.
 */
export class MaskedProgress {
  readonly #mask: (text: string) => string;
  readonly #show: (text: string) => void;
  readonly #maxHeld: number;
  #held = '';

  constructor(mask: (text: string) => string, show: (text: string) => void, maxHeld = 8192) {
    this.#mask = mask;
    this.#show = show;
    this.#maxHeld = maxHeld;
  }

  push(chunk: string): void {
    this.#held += chunk;
    const end = this.#held.lastIndexOf('\n') + 1;
    if (end > 0) this.#pass(end);
    else if (this.#held.length > this.#maxHeld) this.#pass(this.#held.length);
  }

  flush(): void {
    if (this.#held !== '') this.#pass(this.#held.length);
  }

  #pass(end: number): void {
    const text = this.#held.slice(0, end);
    this.#held = this.#held.slice(end);
    this.#show(this.#mask(text));
  }
}
