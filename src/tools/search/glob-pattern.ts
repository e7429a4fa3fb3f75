/** One place in a segment: a character, any one, a run of any, or one of a set. */
type Token =
  | { type: 'character'; value: string }
  | { type: 'one' }
  | { type: 'run' }
  | { type: 'set'; negated: boolean; ranges: readonly (readonly [low: number, high: number])[] };

type Segment = 'any-depth' | readonly Token[];

/** A pattern over `/`-separated paths. Matching takes time in proportion to path and pattern, whatever they hold. */
export type GlobPattern = {
  /** `path` without a leading or trailing slash. */
  matches(path: string): boolean;
  /** Segments a match has at most; null: any number. */
  readonly maxDepth: number | null;
};

// `{a,b}{c,d}…` doubles with each pair of braces.
const MAX_ALTERNATIVES = 256;
const MAX_LENGTH = 4096;

/**
 * `*` and `?` stay within one name, `[a-z]` and `[!a-z]` are sets, `{a,b}` alternatives, `\` takes the next character
 * as it is, and `**` as a whole name stands for any number of directories (at the end: everything below). Dot files
 * are names like others. Null: the pattern cannot be used (empty, too long, too many alternatives).
 */
export function compileGlob(pattern: string): GlobPattern | null {
  if (pattern === '' || pattern.length > MAX_LENGTH) return null;
  const alternatives = expandBraces(pattern);
  if (alternatives === null) return null;
  const compiled = alternatives.map(compileSegments);
  const depths = compiled.map((segments) => (segments.includes('any-depth') ? null : segments.length));
  return {
    matches(path) {
      const names = path.split('/').map((name) => Array.from(name));
      return compiled.some((segments) => matchSegments(segments, names));
    },
    maxDepth: depths.includes(null) ? null : Math.max(...depths.map(Number)),
  };
}

// A `**` at the end is what lies below: any directories, then any name.
function compileSegments(pattern: string): Segment[] {
  const names = pattern.split('/').filter((name) => name !== '' && name !== '.');
  return (names.at(-1) === '**' ? [...names, '*'] : names).map(compileSegment);
}

/** Every alternative of a pattern with braces, or null where there are too many. */
export function expandBraces(pattern: string): string[] | null {
  const done: string[] = [];
  const todo = [pattern];
  for (let next = todo.pop(); next !== undefined; next = todo.pop()) {
    const braces = firstBraces(next);
    if (braces === null) done.push(next);
    else {
      const [before, after] = [next.slice(0, braces.start), next.slice(braces.end + 1)];
      for (const choice of braces.choices.toReversed()) todo.push(before + choice + after);
    }
    if (done.length + todo.length > MAX_ALTERNATIVES) return null;
  }
  return done;
}

/** The first `{` with a `}` to it. Without one the brace is a character like any other. */
function firstBraces(pattern: string): { start: number; end: number; choices: string[] } | null {
  for (let start = nextOf(pattern, '{', 0); start !== -1; start = nextOf(pattern, '{', start + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = start; at < pattern.length; at += 1) {
      const unit = pattern[at];
      if (unit === '\\') at += 1;
      else if (unit === '{') depth += 1;
      else if (unit === ',' && depth === 1) commas.push(at);
      else if (unit === '}') depth -= 1;
      if (unit === '}' && depth === 0) {
        const bounds = [start, ...commas, at];
        const choices = bounds.slice(1).map((end, index) => pattern.slice((bounds[index] ?? 0) + 1, end));
        return { start, end: at, choices };
      }
    }
  }
  return null;
}

/** The next such character that no backslash takes as it is. */
function nextOf(pattern: string, wanted: string, from: number): number {
  for (let at = from; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === wanted) return at;
  }
  return -1;
}

function compileSegment(text: string): Segment {
  if (text === '**') return 'any-depth';
  const tokens: Token[] = [];
  const characters = Array.from(text);
  for (let at = 0; at < characters.length; at += 1) {
    const value = characters[at] ?? '';
    if (value === '\\' && at + 1 < characters.length) {
      at += 1;
      tokens.push({ type: 'character', value: characters[at] ?? '' });
    } else if (value === '?') tokens.push({ type: 'one' });
    else if (value === '*') {
      if (tokens.at(-1)?.type !== 'run') tokens.push({ type: 'run' });
    } else if (value === '[') {
      const set = readSet(characters, at);
      tokens.push(set?.token ?? { type: 'character', value });
      at = set?.end ?? at;
    } else tokens.push({ type: 'character', value });
  }
  return tokens;
}

/** `[a-z_]`, `[!a]`, `[^a]`, `[]a]`. Null where no `]` ends it. */
function readSet(characters: readonly string[], start: number): { token: Token; end: number } | null {
  let at = start + 1;
  const negated = characters[at] === '!' || characters[at] === '^';
  if (negated) at += 1;
  const ranges: [number, number][] = [];
  for (let first = true; at < characters.length; first = false) {
    if (characters[at] === ']' && !first) return { token: { type: 'set', negated, ranges }, end: at };
    if (characters[at] === '\\') at += 1;
    const low = codeOf(characters[at]);
    const isRange = characters[at + 1] === '-' && at + 2 < characters.length && characters[at + 2] !== ']';
    ranges.push([low, isRange ? codeOf(characters[at + 2]) : low]);
    at += isRange ? 3 : 1;
  }
  return null;
}

function codeOf(character: string | undefined): number {
  return character?.codePointAt(0) ?? 0;
}

/**
 * Both walks below go forward and come back to the last `**` (or `*`) alone: what an earlier one could take instead,
 * the last one can take too.
 */
function matchSegments(segments: readonly Segment[], names: readonly (readonly string[])[]): boolean {
  let [at, name] = [0, 0];
  let [back, backName] = [-1, 0];
  while (name < names.length) {
    const segment = segments[at];
    if (segment === 'any-depth') {
      [back, backName] = [at, name];
      at += 1;
    } else if (segment !== undefined && matchName(segment, names[name] ?? [])) {
      at += 1;
      name += 1;
    } else if (back === -1) return false;
    else {
      backName += 1;
      [at, name] = [back + 1, backName];
    }
  }
  return at === segments.length;
}

function matchName(tokens: readonly Token[], name: readonly string[]): boolean {
  let [at, index] = [0, 0];
  let [back, backIndex] = [-1, 0];
  while (index < name.length) {
    const token = tokens[at];
    if (token?.type === 'run') {
      [back, backIndex] = [at, index];
      at += 1;
    } else if (token !== undefined && matchCharacter(token, name[index] ?? '')) {
      at += 1;
      index += 1;
    } else if (back === -1) return false;
    else {
      backIndex += 1;
      [at, index] = [back + 1, backIndex];
    }
  }
  return tokens.slice(at).every((token) => token.type === 'run');
}

function matchCharacter(token: Token, character: string): boolean {
  switch (token.type) {
    case 'character':
      return token.value === character;
    case 'one':
      return true;
    case 'set': {
      const code = codeOf(character);
      return token.ranges.some(([low, high]) => low <= code && code <= high) !== token.negated;
    }
    case 'run':
      return false;
  }
}
