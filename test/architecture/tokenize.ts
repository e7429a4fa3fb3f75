export type Token = {
  kind: 'word' | 'mark' | 'string' | 'template' | 'number' | 'regexp';
  /** For strings and templates the raw text between the quotes. */
  text: string;
  /** 1-based. */
  line: number;
};

const WORD = /[\p{ID_Start}$_#][\p{ID_Continue}$\u200c\u200d]*/uy;
const NUMBER = /\d[\w.]*/y;
const SPACE = /\s+/y;
const COMMENT = /\/\/[^\n]*|\/\*[\s\S]*?\*\//y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;
// After these a slash starts a regular expression; after other words, `)` and `]` it divides.
const BEFORE_REGEXP = /^(?:return|typeof|case|in|of|delete|void|throw|new|else|do|await|yield|instanceof)$/;

/**
 * TypeScript as a list of tokens, comments left out: enough to read imports and calls without a compiler. Parts of
 * a template are tokens of their own, with the tokens of each `${…}` between them.
 */
export function tokenize(source: string): Token[] {
  const scanner = new Scanner(source);
  while (scanner.step());
  return scanner.tokens;
}

class Scanner {
  readonly tokens: Token[] = [];
  readonly #source: string;
  /** Depth of braces in each open `${…}`, so that its end can be told from another `}`. */
  readonly #templates: number[] = [];
  #at = 0;
  #line = 1;

  constructor(source: string) {
    this.#source = source;
  }

  /** Takes one token, or what lies between two; false at the end. */
  step(): boolean {
    if (this.#at >= this.#source.length) return false;
    const skipped = this.#match(SPACE) ?? this.#match(COMMENT);
    if (skipped !== undefined) {
      this.#advance(skipped);
      return true;
    }
    if (this.#source[this.#at] === '`') {
      this.#template();
      return true;
    }
    const string = this.#match(STRING);
    if (string !== undefined) this.#push('string', string, string.slice(1, -1));
    else if (!this.#take('word', WORD) && !this.#take('number', NUMBER)) {
      if (!this.#startsRegexp() || !this.#take('regexp', REGEXP)) this.#mark(this.#source[this.#at] ?? '');
    }
    return true;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    return pattern.exec(this.#source)?.[0];
  }

  #take(kind: Token['kind'], pattern: RegExp): boolean {
    const text = this.#match(pattern);
    if (text !== undefined) this.#push(kind, text);
    return text !== undefined;
  }

  #push(kind: Token['kind'], whole: string, text: string = whole): void {
    this.tokens.push({ kind, text, line: this.#line });
    this.#advance(whole);
  }

  #advance(text: string): void {
    this.#at += text.length;
    for (const character of text) if (character === '\n') this.#line += 1;
  }

  #startsRegexp(): boolean {
    const last = this.tokens.at(-1);
    if (last === undefined) return true;
    if (last.kind === 'word') return BEFORE_REGEXP.test(last.text);
    return last.kind === 'mark' && last.text !== ')' && last.text !== ']';
  }

  /** From a backtick, or the end of a `${…}`, to the next `${` or the closing backtick. */
  #template(): void {
    const source = this.#source;
    let end = this.#at + 1;
    while (end < source.length && source[end] !== '`' && !source.startsWith('${', end)) {
      end += source[end] === '\\' ? 2 : 1;
    }
    const opens = source.startsWith('${', end);
    this.#push('template', source.slice(this.#at, end + (opens ? 2 : 1)), source.slice(this.#at + 1, end));
    if (opens) this.#templates.push(0);
  }

  #mark(character: string): void {
    const depth = this.#templates.at(-1);
    if (character === '}' && depth === 0) {
      this.#templates.pop();
      this.#template();
      return;
    }
    const change = character === '{' ? 1 : character === '}' ? -1 : 0;
    if (depth !== undefined) this.#templates[this.#templates.length - 1] = depth + change;
    this.#push('mark', character);
  }
}
