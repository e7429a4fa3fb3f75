import { type BlockState, blockOf, inParagraph, OUTSIDE } from './block-state.ts';
import { CommentEnds, type Stretch, scanInline } from './inline-scan.ts';
import type { ProseToken } from './prose-token.ts';
import { linesOf, type SourceLine } from './source-lines.ts';

/** `at`: of the whole token, UTF-16. `line` and `column`: of its `@`, from 1. */
export type Reference = { path: string; at: [number, number]; line: number; column: number };
export type NameReference = { name: string; at: [number, number]; line: number; column: number };

/** What names something else than a file. */
const OTHER_KIND = /^(?:skill|s|subagent|a|model|m):/;
const SKILL = /^(?:skill|s):([\p{L}\p{N}][\p{L}\p{N}_.:/-]{0,127})/u;
const SUBAGENT = /^(?:subagent|a):([\p{L}\p{N}][\p{L}\p{N}_.-]{0,127})/u;
const EXTENSION = /[^/]\.[A-Za-z][A-Za-z0-9]{0,15}$/;

/** Goes through the lines of a Markdown text, paragraph by paragraph. */
class ProseScan {
  readonly tokens: ProseToken[] = [];
  readonly #text: string;
  readonly #lines: readonly SourceLine[];
  readonly #comments: CommentEnds;
  #paragraph: Stretch[] = [];
  #state: BlockState = OUTSIDE;

  constructor(text: string, lines: readonly SourceLine[]) {
    this.#text = text;
    this.#lines = lines;
    this.#comments = new CommentEnds(text);
  }

  run(): void {
    for (let index = 0; index < this.#lines.length; index += 1) index = this.#line(index);
    // A comment at the end of the last paragraph may go on for nothing more.
    this.#scanParagraph();
  }

  /** Returns the index of the line it came to. */
  #line(index: number): number {
    const line = this.#lines[index];
    if (line === undefined) return index;
    const block = blockOf(this.#text.slice(line.start, line.end), this.#state);
    const joined = block.type === 'prose' && block.joined;
    if (!joined) {
      const end = this.#scanParagraph();
      if (end > line.start) return this.#resume(index, end);
    }
    this.#state = block.state;
    if (block.type === 'prose') this.#paragraph.push({ from: line.start + block.content, to: line.end });
    return index;
  }

  /** Goes on behind a comment that ended in a later line. */
  #resume(index: number, end: number): number {
    let at = index;
    while (at < this.#lines.length - 1 && (this.#lines[at]?.next ?? 0) <= end) at += 1;
    const line = this.#lines[at];
    if (line !== undefined && end < line.end) this.#paragraph = [{ from: end, to: line.end }];
    this.#state = inParagraph(this.#state);
    return at;
  }

  /** Where the scan of the paragraph that has ended came to. */
  #scanParagraph(): number {
    const { tokens, end } = scanInline(this.#text, this.#paragraph, this.#comments);
    for (const token of tokens) this.tokens.push(token);
    this.#paragraph = [];
    return end;
  }
}

/** The tokens in order, each with where it stands. */
function placedTokens(text: string): (ProseToken & { line: number; column: number })[] {
  if (!text.includes('@')) return [];
  const lines = linesOf(text);
  const scan = new ProseScan(text, lines);
  scan.run();
  let index = 0;
  return scan.tokens.map((token) => {
    const [start] = token.at;
    while (index < lines.length - 1 && (lines[index]?.next ?? 0) <= start) index += 1;
    return { ...token, line: index + 1, column: start - (lines[index]?.start ?? 0) + 1 };
  });
}

function isPathLike({ path }: ProseToken): boolean {
  if (OTHER_KIND.test(path) || path.includes('://') || /\p{Cc}/u.test(path)) return false;
  if (/(?:^|\/)\.{0,2}$/.test(path)) return false;
  return path.includes('/') || EXTENSION.test(path);
}

/**
 * The files that a Markdown text refers to by `@path`, in order. Not in fenced or indented code, code spans and
 * comments; an `@` in a word (an address) or behind a backslash is none, and no more is a word without `/` or a file
 * extension. Takes time in proportion to the text.
 */
export function scanReferences(text: string): Reference[] {
  return placedTokens(text)
    .filter(isPathLike)
    .map(({ path, at, line, column }) => ({ path, at, line, column }));
}

function scanNames(text: string, form: RegExp): NameReference[] {
  return placedTokens(text).flatMap(({ path, quoted, at, line, column }) => {
    const match = quoted ? null : form.exec(path);
    const name = match?.[1]?.replace(/[.:/-]{1,128}$/, '');
    if (match === null || name === undefined) return [];
    const length = match[0].length - (match[1]?.length ?? 0) + name.length;
    return [{ name, at: [at[0], at[0] + 1 + length] as [number, number], line, column }];
  });
}

/** The skills that a text refers to by `@skill:NAME` or `@s:NAME`, by the same rules. A name may hold colons. */
export function scanSkillReferences(text: string): NameReference[] {
  return scanNames(text, SKILL);
}

/** The subagents that a text refers to by `@subagent:NAME` or `@a:NAME`, by the same rules. */
export function scanSubagentReferences(text: string): NameReference[] {
  return scanNames(text, SUBAGENT);
}
