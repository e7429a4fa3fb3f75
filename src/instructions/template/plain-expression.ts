import type { Word } from './plain-tokens.ts';

/** `name`, `name.attribute`, … */
export type PathExpression = { type: 'path'; names: readonly string[] };
export type Condition =
  | PathExpression
  | { type: 'call'; name: ConditionFunction; argument: string }
  | { type: 'equals'; path: PathExpression; text: string; negated: boolean }
  | { type: 'not'; of: Condition }
  | { type: 'and' | 'or'; of: readonly Condition[] };
export type Output =
  | PathExpression
  | { type: 'string'; text: string }
  | { type: 'transclude'; target: string }
  | { type: 'embedded'; index: number };

const CONDITION_FUNCTIONS = ['has_tool', 'has_mcp', 'has_skill', 'is_model_variant'] as const;
type ConditionFunction = (typeof CONDITION_FUNCTIONS)[number];

/** Words of MiniJinja's grammar, its own names, and the functions: never plain variables. */
const RESERVED = new Set([
  ...['true', 'false', 'none', 'True', 'False', 'None', 'not', 'and', 'or', 'in', 'is', 'if', 'else', 'elif', 'endif'],
  ...['for', 'loop', 'self', 'super', 'caller', 'range', 'dict', 'debug', 'namespace', 'cycler', 'joiner', 'lipsum'],
  ...['randrange', 'now', 'get_tool', 'transclude', 'embedded', ...CONDITION_FUNCTIONS],
]);
/** Parentheses and `not` within each other. */
const MAX_NESTING = 32;

/** The expression of `{{ … }}`, or null where it is not a plain one. */
export function parseOutput(words: readonly Word[]): Output | null {
  const [first, open, argument, close] = words;
  if (first === undefined) return null;
  if (first.type === 'string') return words.length === 1 ? { type: 'string', text: first.text } : null;
  if (open?.text === '(' && open.type === 'sign') {
    if (words.length !== 4 || first.type !== 'name' || close?.text !== ')' || close.type !== 'sign') return null;
    if (first.text === 'transclude' && argument?.type === 'string') {
      return { type: 'transclude', target: argument.text };
    }
    if (first.text !== 'embedded' || argument?.type !== 'number') return null;
    return { type: 'embedded', index: Number(argument.text) };
  }
  const parser = new ConditionParser(words);
  const path = parser.path();
  return parser.isDone ? path : null;
}

/** What follows `if`, or null where it is not a plain one. */
export function parseCondition(words: readonly Word[]): Condition | null {
  const parser = new ConditionParser(words);
  const condition = parser.or(0);
  return parser.isDone ? condition : null;
}

/** `or` binds less than `and`, that less than `not`, that less than `==`, as in MiniJinja. */
class ConditionParser {
  readonly #words: readonly Word[];
  #at = 0;

  constructor(words: readonly Word[]) {
    this.#words = words;
  }

  get isDone(): boolean {
    return this.#at === this.#words.length;
  }

  or(depth: number): Condition | null {
    return this.#chain('or', () => this.#chain('and', () => this.#not(depth)));
  }

  path(): PathExpression | null {
    const first = this.#name();
    if (first === null || RESERVED.has(first)) return null;
    const names = [first];
    while (this.#take('sign', '.')) {
      const next = this.#name();
      if (next === null) return null;
      names.push(next);
    }
    return { type: 'path', names };
  }

  /** Flat, so that no length of it makes anything deep. */
  #chain(type: 'and' | 'or', next: () => Condition | null): Condition | null {
    const of: Condition[] = [];
    do {
      const condition = next();
      if (condition === null) return null;
      of.push(condition);
    } while (this.#take('name', type));
    const [first, ...rest] = of;
    return first === undefined || rest.length > 0 ? { type, of } : first;
  }

  #not(depth: number): Condition | null {
    if (depth > MAX_NESTING) return null;
    if (!this.#take('name', 'not')) return this.#comparison(depth);
    const of = this.#not(depth + 1);
    return of === null ? null : { type: 'not', of };
  }

  #comparison(depth: number): Condition | null {
    if (this.#take('sign', '(')) {
      const inner = this.or(depth + 1);
      return this.#take('sign', ')') ? inner : null;
    }
    const called = this.#call();
    if (called !== null) return called;
    const path = this.path();
    const negated = path !== null && this.#take('sign', '!=');
    if (path === null || (!negated && !this.#take('sign', '=='))) return path;
    const word = this.#words[this.#at];
    if (word?.type !== 'string') return null;
    this.#at += 1;
    return { type: 'equals', path, text: word.text, negated };
  }

  #call(): Condition | null {
    const [first, open, argument, close] = this.#words.slice(this.#at, this.#at + 4);
    const name = CONDITION_FUNCTIONS.find((known) => first?.type === 'name' && first.text === known);
    if (name === undefined || open?.type !== 'sign' || open.text !== '(') return null;
    if (argument?.type !== 'string' || close?.type !== 'sign' || close.text !== ')') return null;
    this.#at += 4;
    return { type: 'call', name, argument: argument.text };
  }

  #name(): string | null {
    const word = this.#words[this.#at];
    if (word?.type !== 'name') return null;
    this.#at += 1;
    return word.text;
  }

  #take(type: Word['type'], text: string): boolean {
    const word = this.#words[this.#at];
    if (word?.type !== type || word.text !== text) return false;
    this.#at += 1;
    return true;
  }
}
