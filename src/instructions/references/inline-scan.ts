import { mayBegin, type ProseToken, tokenAt } from './prose-token.ts';

/** A stretch of one line, UTF-16 offsets. */
export type Stretch = { from: number; to: number };

/** Where comments of HTML end; asked with growing offsets, so that the whole text is searched once. */
export class CommentEnds {
  readonly #text: string;
  #known = -2;

  constructor(text: string) {
    this.#text = text;
  }

  /** Just behind the first end of a comment from there on; null: there is none. */
  after(at: number): number | null {
    if (this.#known !== -1 && this.#known < at) this.#known = this.#text.indexOf('-->', at);
    return this.#known === -1 ? null : this.#known + 3;
  }
}

/** Where the runs of backticks of a paragraph stand, by their length; asked with growing offsets. */
class BacktickRuns {
  readonly #byLength = new Map<number, { starts: number[]; next: number }>();

  constructor(text: string, stretches: readonly Stretch[]) {
    for (const { from, to } of stretches) {
      for (const { 0: run, index } of text.slice(from, to).matchAll(/`+/g)) {
        const runs = this.#byLength.get(run.length) ?? { starts: [], next: 0 };
        runs.starts.push(from + index);
        this.#byLength.set(run.length, runs);
      }
    }
  }

  /** Just behind the first run of exactly that length from there on; null: there is none. */
  after(at: number, length: number): number | null {
    const runs = this.#byLength.get(length);
    if (runs === undefined) return null;
    while ((runs.starts[runs.next] ?? Number.POSITIVE_INFINITY) < at) runs.next += 1;
    const start = runs.starts[runs.next];
    return start === undefined ? null : start + length;
  }
}

function runLength(text: string, at: number, to: number): number {
  let end = at;
  while (end < to && text[end] === '`') end += 1;
  return end - at;
}

/** One paragraph: its tokens outside code spans and comments. */
class InlineScan {
  readonly tokens: ProseToken[] = [];
  readonly #text: string;
  readonly #comments: CommentEnds;
  readonly #runs: BacktickRuns;

  constructor(text: string, stretches: readonly Stretch[], comments: CommentEnds) {
    this.#text = text;
    this.#comments = comments;
    this.#runs = new BacktickRuns(text, stretches);
  }

  /** Where to go on after the character at `at`. */
  step(at: number, { from, to }: Stretch): number {
    switch (this.#text[at]) {
      case '\\':
        return at + 2;
      case '`': {
        const length = runLength(this.#text, at, to);
        return this.#runs.after(at + length, length) ?? at + length;
      }
      case '<':
        return this.#text.startsWith('<!--', at) ? this.#afterComment(at, from) : at + 1;
      case '@':
        return this.#take(at, from, to);
      default:
        return at + 1;
    }
  }

  /** One that nothing ends is the rest of the text where it begins a line, and no comment elsewhere. */
  #afterComment(at: number, from: number): number {
    return this.#comments.after(at + 2) ?? (at === from ? this.#text.length : at + 4);
  }

  #take(at: number, from: number, to: number): number {
    if (!mayBegin(this.#text, at, from)) return at + 1;
    const { token, next } = tokenAt(this.#text, at, to);
    if (token !== null) this.tokens.push(token);
    return next;
  }
}

/**
 * The tokens of one paragraph that stand outside code spans and comments. `end`: where the scan came to; behind the
 * paragraph where a comment goes on.
 */
export function scanInline(
  text: string,
  stretches: readonly Stretch[],
  comments: CommentEnds,
): { tokens: ProseToken[]; end: number } {
  const scan = new InlineScan(text, stretches, comments);
  let end = 0;
  for (const stretch of stretches) {
    end = Math.max(end, stretch.from);
    while (end < stretch.to) end = scan.step(end, stretch);
  }
  return { tokens: scan.tokens, end };
}
