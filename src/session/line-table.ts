export type LineKind = 'blob' | 'media' | 'piece' | 'event' | 'request' | 'note';

/** Bytes [start, end) of a log: a line without its newline. */
export type LineSpan = { start: number; end: number };

const KINDS: readonly LineKind[] = ['blob', 'media', 'piece', 'event', 'request', 'note'];

/** Hash of the name (8), start (6), length (5), kind (1; 0: free). */
const SLOT = 20;
const LEAST = 1024;
const FULL = 0.6;

/**
 * Where the lines of a log lie, by kind and name, in twenty bytes for each: a session of a million lines is no more in
 * memory than that. Names are kept as hashes only, so what is found is to be looked at before it is believed.
 */
export class LineTable {
  #slots: Buffer;
  #capacity: number;
  #count = 0;

  constructor(capacity: number = LEAST) {
    this.#capacity = capacity;
    this.#slots = Buffer.alloc(capacity * SLOT);
  }

  get count(): number {
    return this.#count;
  }

  add(kind: LineKind, name: string, { start, end }: LineSpan): void {
    if (this.#count >= this.#capacity * FULL) this.#grow();
    const [low, high] = hashOf(name);
    this.#put(low, high, start, end - start, KINDS.indexOf(kind) + 1);
    this.#count += 1;
  }

  /** Of every line that may have this kind and name, in the order of the log. */
  spans(kinds: readonly LineKind[], name: string): LineSpan[] {
    const [low, high] = hashOf(name);
    const found: LineSpan[] = [];
    for (let at = this.#home(low); this.#kindAt(at) !== undefined; at = this.#next(at)) {
      const kind = this.#kindAt(at);
      const isNamed = this.#slots.readUInt32LE(at) === low && this.#slots.readUInt32LE(at + 4) === high;
      if (isNamed && kind !== undefined && kinds.includes(kind)) found.push(this.#spanAt(at));
    }
    return inOrder(found);
  }

  /** Of every line of this kind, in the order of the log. */
  all(kind: LineKind): LineSpan[] {
    const found: LineSpan[] = [];
    for (let at = 0; at < this.#slots.length; at += SLOT) if (this.#kindAt(at) === kind) found.push(this.#spanAt(at));
    return inOrder(found);
  }

  /** For a file: to be read with `fromBytes`. Not a copy. */
  toBytes(): Uint8Array {
    return this.#slots;
  }

  /** Null where the bytes are no table. */
  static fromBytes(bytes: Uint8Array): LineTable | null {
    const capacity = bytes.length / SLOT;
    if (!Number.isInteger(capacity) || capacity < LEAST || !Number.isInteger(Math.log2(capacity))) return null;
    const table = new LineTable(LEAST);
    table.#slots = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    table.#capacity = capacity;
    for (let at = 0; at < bytes.length; at += SLOT) {
      const kind = bytes[at + SLOT - 1] ?? 0;
      if (kind > KINDS.length) return null;
      if (kind > 0) table.#count += 1;
    }
    // A full table would be searched for ever.
    return table.#count > capacity * FULL + 1 ? null : table;
  }

  #grow(): void {
    const old = this.#slots;
    this.#capacity *= 2;
    this.#slots = Buffer.alloc(this.#capacity * SLOT);
    for (let at = 0; at < old.length; at += SLOT) {
      if (old[at + SLOT - 1] === 0) continue;
      const to = this.#free(old.readUInt32LE(at));
      old.copy(this.#slots, to, at, at + SLOT);
    }
  }

  #put(low: number, high: number, start: number, length: number, kind: number): void {
    const at = this.#free(low);
    this.#slots.writeUInt32LE(low, at);
    this.#slots.writeUInt32LE(high, at + 4);
    this.#slots.writeUIntLE(start, at + 8, 6);
    this.#slots.writeUIntLE(length, at + 14, 5);
    this.#slots[at + SLOT - 1] = kind;
  }

  #free(low: number): number {
    let at = this.#home(low);
    while (this.#kindAt(at) !== undefined) at = this.#next(at);
    return at;
  }

  #home(low: number): number {
    return (low & (this.#capacity - 1)) * SLOT;
  }

  #next(at: number): number {
    return at + SLOT === this.#slots.length ? 0 : at + SLOT;
  }

  #kindAt(at: number): LineKind | undefined {
    return KINDS[(this.#slots[at + SLOT - 1] ?? 0) - 1];
  }

  #spanAt(at: number): LineSpan {
    const start = this.#slots.readUIntLE(at + 8, 6);
    return { start, end: start + this.#slots.readUIntLE(at + 14, 5) };
  }
}

function inOrder(spans: LineSpan[]): LineSpan[] {
  return spans.length < 2 ? spans : spans.sort((left, right) => left.start - right.start);
}

/** Two mixed hashes of 32 bits, the first for the place. Not for secrets: the names are random, or hashes already. */
function hashOf(name: string): [number, number] {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (let index = 0; index < name.length; index += 1) {
    const unit = name.charCodeAt(index);
    low = Math.imul(low ^ unit, 2654435761);
    high = Math.imul(high ^ unit, 1597334677);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return [low >>> 0, high >>> 0];
}
