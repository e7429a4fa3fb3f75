export type Word = { type: 'name' | 'string' | 'number' | 'sign'; text: string };

/** Literal text with the whitespace control of its neighbours done, or what stands between two delimiters. */
export type Token = { type: 'text'; text: string } | { type: 'output' | 'block'; words: readonly Word[]; line: number };

/** Rust's `char::is_whitespace`, which MiniJinja trims by; JavaScript's own has U+FEFF and not U+0085. */
const SPACE = '\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000';
const LEADING_SPACE = new RegExp(`[${SPACE}]*`, 'y');
const IS_SPACE = new RegExp(`[${SPACE}]`);
const OPENING = /\{[{%#]/g;
const WORD =
  /[ \t\n\r\f]*(?:([A-Za-z_][A-Za-z0-9_]*)|"([^"\\]*)"|'([^'\\]*)'|(0|[1-9][0-9]{0,8})(?![0-9A-Za-z_.])|(==|!=|-?\}\}|-?%\}|[().]))/y;

/** The tokens of a template, or null where it holds anything that only the engine reads. Linear. */
export function plainTokens(source: string): readonly Token[] | null {
  return new PlainScanner(withoutFinalNewline(source)).scan();
}

/** As MiniJinja does unless told to keep it: `\n`, `\r\n` or `\r`, once. */
function withoutFinalNewline(source: string): string {
  return source.replace(/\r?\n$|\r$/, '');
}

class PlainScanner {
  readonly #source: string;
  readonly #tokens: Token[] = [];
  #at = 0;
  /** The line of what is read, and the newline at its end; -1 before the first is looked for. */
  #line = 1;
  #newline = -1;

  constructor(source: string) {
    this.#source = source;
  }

  scan(): readonly Token[] | null {
    while (this.#at < this.#source.length) {
      OPENING.lastIndex = this.#at;
      const start = OPENING.exec(this.#source)?.index ?? this.#source.length;
      const trims = this.#source[start + 2] === '-';
      this.#text(start, trims);
      if (start === this.#source.length) break;
      this.#at = start + (trims ? 3 : 2);
      const isRead = this.#source[start + 1] === '#' ? this.#comment(start) : this.#code(start);
      if (!isRead) return null;
    }
    return this.#tokens;
  }

  #text(end: number, trims: boolean): void {
    let to = end;
    while (trims && to > this.#at && IS_SPACE.test(this.#source[to - 1] ?? '')) to -= 1;
    if (to > this.#at) this.#tokens.push({ type: 'text', text: this.#source.slice(this.#at, to) });
  }

  #comment(start: number): boolean {
    const end = this.#source.indexOf('#}', start + 2);
    if (end < 0) return false;
    this.#at = end + 2;
    // A single minus belongs to the start.
    if (end > start + 3 && this.#source[end - 1] === '-') this.#skipSpace();
    return true;
  }

  #code(start: number): boolean {
    const type = this.#source[start + 1] === '{' ? 'output' : 'block';
    const end = type === 'output' ? '}}' : '%}';
    const line = this.#lineAt(start);
    const words: Word[] = [];
    for (;;) {
      WORD.lastIndex = this.#at;
      const match = WORD.exec(this.#source);
      if (match === null) return false;
      this.#at = WORD.lastIndex;
      const [, name, double, single, number, sign = ''] = match;
      if (sign.endsWith('}')) {
        if (!sign.endsWith(end)) return false;
        this.#tokens.push({ type, words, line });
        if (sign.startsWith('-')) this.#skipSpace();
        return true;
      }
      if (name !== undefined) words.push({ type: 'name', text: name });
      else if (number !== undefined) words.push({ type: 'number', text: number });
      else if (sign !== '') words.push({ type: 'sign', text: sign });
      else words.push({ type: 'string', text: double ?? single ?? '' });
    }
  }

  #skipSpace(): void {
    LEADING_SPACE.lastIndex = this.#at;
    LEADING_SPACE.exec(this.#source);
    this.#at = LEADING_SPACE.lastIndex;
  }

  #lineAt(index: number): number {
    while (this.#newline < index) {
      if (this.#newline >= 0) this.#line += 1;
      const next = this.#source.indexOf('\n', this.#newline + 1);
      this.#newline = next < 0 ? this.#source.length : next;
    }
    return this.#line;
  }
}
