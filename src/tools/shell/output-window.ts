import { byteLength, cutHead, cutTail } from '../../base/index.ts';

/** The beginning and the end of a text of any length, and the exact number of UTF-8 bytes between them. */
export class OutputWindow {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  #head = '';
  #headSize = 0;
  #headFull = false;
  #tail: { text: string; size: number }[] = [];
  #tailSize = 0;
  #total = 0;

  constructor(headBytes: number, tailBytes: number) {
    this.#headBytes = headBytes;
    this.#tailBytes = tailBytes;
  }

  /** Everything so far is still there. */
  get isWhole(): boolean {
    return this.#total <= this.#headBytes + this.#tailBytes;
  }

  /** Whether nothing need be dropped for this text; in doubt false. */
  hasRoomFor(text: string): boolean {
    return this.#total + text.length * 3 <= this.#headBytes + this.#tailBytes;
  }

  /** What is kept, in order. */
  get kept(): string {
    return this.#head + this.#tail.map((piece) => piece.text).join('');
  }

  push(text: string): void {
    const size = byteLength(text);
    this.#total += size;
    const room = this.#headFull ? 0 : this.#headBytes - this.#headSize;
    const first = room >= size ? text : room > 0 ? cutHead(text, room) : '';
    const firstSize = first === text ? size : byteLength(first);
    this.#head += first;
    this.#headSize += firstSize;
    if (firstSize === size) return;
    this.#headFull = true;
    this.#pushTail(text.slice(first.length), size - firstSize);
  }

  #pushTail(text: string, size: number): void {
    this.#tail.push({ text, size });
    this.#tailSize += size;
    if (this.isWhole) return;
    for (let oldest = this.#tail[0]; oldest !== undefined; oldest = this.#tail[0]) {
      if (this.#tailSize - oldest.size < this.#tailBytes) return;
      this.#tailSize -= oldest.size;
      this.#tail.shift();
    }
  }

  finish(): { head: string; tail: string; droppedBytes: number } {
    const joined = this.#tail.map((piece) => piece.text).join('');
    const tail = this.isWhole ? joined : cutTail(joined, this.#tailBytes);
    return { head: this.#head, tail, droppedBytes: this.#total - this.#headSize - byteLength(tail) };
  }
}
