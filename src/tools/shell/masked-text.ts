const KEY_BEGIN = /-----BEGIN [A-Z0-9 ]*PRIVATE KEY/g;
const KEY_END = '-----END ';

// Longer than any key; a text that only begins like one is not held back for ever.
const MAX_HELD = 32 * 1024;

/** Hides secrets in a text that comes in pieces of whole lines: a key block is held until it is there as a whole. */
export class MaskedText {
  readonly #mask: (text: string) => string;
  #held = '';

  constructor(mask: (text: string) => string) {
    this.#mask = mask;
  }

  push(text: string): string {
    const whole = this.#held + text;
    this.#held = '';
    const begin = lastBegin(whole);
    if (begin === -1 || endsAfter(whole, begin) || whole.length - begin > MAX_HELD) return this.#mask(whole);
    this.#held = whole.slice(begin);
    return this.#mask(whole.slice(0, begin));
  }

  finish(): string {
    const held = this.#held;
    this.#held = '';
    return this.#mask(held);
  }
}

function lastBegin(text: string): number {
  let last = -1;
  for (const match of text.matchAll(KEY_BEGIN)) last = match.index;
  return last;
}

/** Whether the block that begins there ends, its last line included. */
function endsAfter(text: string, begin: number): boolean {
  const end = text.indexOf(KEY_END, begin);
  return end !== -1 && text.includes('\n', end);
}
