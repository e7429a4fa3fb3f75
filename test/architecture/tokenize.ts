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
  const tokens: Token[] = [];
  // Depth of braces for each open template, so that a `}` can be told from the end of `${…}`.
  const templates: number[] = [];
  let at = 0;
  let line = 1;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    return pattern.exec(source)?.[0];
  }
  function advance(text: string): void {
    at += text.length;
    for (const character of text) if (character === '\n') line += 1;
  }
  function push(kind: Token['kind'], whole: string, text: string = whole): void {
    tokens.push({ kind, text, line });
    advance(whole);
  }
  function startsRegexp(): boolean {
    const last = tokens.at(-1);
    if (last === undefined) return true;
    if (last.kind === 'word') return BEFORE_REGEXP.test(last.text);
    return last.kind === 'mark' && last.text !== ')' && last.text !== ']';
  }
  /** From a backtick or the end of a `${…}` to the next `${` or the closing backtick. */
  function template(): void {
    let end = at + 1;
    while (end < source.length && source[end] !== '`' && !source.startsWith('${', end)) {
      end += source[end] === '\\' ? 2 : 1;
    }
    const opens = source.startsWith('${', end);
    push('template', source.slice(at, end + (opens ? 2 : 1)), source.slice(at + 1, end));
    if (opens) templates.push(0);
  }
  function mark(character: string): void {
    const depth = templates.at(-1);
    if (character === '}' && depth === 0) {
      templates.pop();
      template();
      return;
    }
    if (depth !== undefined && character === '{') templates[templates.length - 1] = depth + 1;
    if (depth !== undefined && character === '}') templates[templates.length - 1] = depth - 1;
    push('mark', character);
  }

  while (at < source.length) {
    const character = source[at] ?? '';
    const skipped = take(SPACE) ?? take(COMMENT);
    if (skipped !== undefined) {
      advance(skipped);
      continue;
    }
    if (character === '`') {
      template();
      continue;
    }
    const string = take(STRING);
    if (string !== undefined) {
      push('string', string, string.slice(1, -1));
      continue;
    }
    const word = take(WORD);
    if (word !== undefined) {
      push('word', word);
      continue;
    }
    const number = take(NUMBER);
    if (number !== undefined) {
      push('number', number);
      continue;
    }
    const regexp = character === '/' && startsRegexp() ? take(REGEXP) : undefined;
    if (regexp !== undefined) push('regexp', regexp);
    else mark(character);
  }
  return tokens;
}
