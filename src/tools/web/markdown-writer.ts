type Block = { text: string; kind: 'block' | 'item' | 'row' };

// Indentation repeats with each line, and a page can nest as deep as it likes.
const MAX_INDENT = 8;

// A block that goes on for longer is cut in two: its end is looked at with every tag.
const MAX_LINE = 16 * 1024;

/** Puts text into Markdown blocks as tags open and close around it, in whatever order they do. */
export class MarkdownWriter {
  /** Characters so far. */
  size = 0;
  readonly #blocks: Block[] = [];
  readonly #lists: { ordered: boolean; next: number }[] = [];
  #line = '';
  #start = '';
  #kind: Block['kind'] = 'block';
  #quotes = 0;
  #pre = 0;
  #cells = 0;
  #rows = 0;

  get blocks(): number {
    return this.#blocks.length;
  }

  text(text: string): void {
    if (this.#pre > 0) this.#line += text;
    else {
      const collapsed = text.replace(/[\s\u00a0]+/g, ' ');
      const last = this.#line.at(-1);
      this.#line += last === undefined || last === ' ' || last === '\n' ? collapsed.replace(/^ /, '') : collapsed;
    }
    if (this.#line.length > MAX_LINE && this.#pre === 0) this.#push(`${this.#start}${this.#line}`, this.#kind);
  }

  endBlock(): void {
    if (this.#pre > 0) return;
    // A paragraph within a cell or at an item's start does not end the row or the item.
    if (this.#kind === 'row' || this.#line.trim() === '') return;
    this.#push(`${this.#start}${this.#line.trim()}`, this.#kind);
    this.#start = this.#kind === 'item' ? ' '.repeat(this.#start.length) : '';
    this.#kind = 'block';
  }

  /** 0: the heading ends. */
  heading(level: number): void {
    this.endBlock();
    if (this.#kind === 'block') this.#start = level === 0 ? '' : `${'#'.repeat(level)} `;
  }

  list(kind: 'ul' | 'ol' | null): void {
    this.#leaveItem();
    if (kind === null) this.#lists.pop();
    else this.#lists.push({ ordered: kind === 'ol', next: 1 });
  }

  item(opens: boolean): void {
    this.#leaveItem();
    if (!opens) return;
    const list = this.#lists.at(-1) ?? { ordered: false, next: 1 };
    const indent = '  '.repeat(Math.min(MAX_INDENT, Math.max(0, this.#lists.length - 1)));
    this.#start = `${indent}${list.ordered ? `${list.next}. ` : '- '}`;
    this.#kind = 'item';
    list.next += 1;
  }

  pre(opens: boolean): void {
    if (opens) {
      if (this.#pre === 0) this.endBlock();
      this.#pre += 1;
      return;
    }
    if (this.#pre === 0) return;
    this.#pre -= 1;
    if (this.#pre > 0) return;
    const code = this.#line.replace(/^\n/, '').trimEnd();
    if (code === '') {
      this.#line = '';
      return;
    }
    const longest = Math.max(2, ...(code.match(/`+/g) ?? []).map((run) => run.length));
    const fence = '`'.repeat(longest + 1);
    this.#push(`${fence}\n${code}\n${fence}`, 'block');
  }

  code(): void {
    if (this.#pre === 0) this.#line += '`';
  }

  quote(opens: boolean): void {
    this.endBlock();
    this.#quotes = Math.max(0, this.#quotes + (opens ? 1 : -1));
  }

  row(opens: boolean): void {
    if (this.#pre > 0) return;
    if (opens) {
      this.endBlock();
      this.#kind = 'row';
      this.#cells = 0;
    } else if (this.#kind === 'row') {
      const cells = this.#cells;
      if (this.#line.trim() !== '') this.#push(`| ${this.#line.trim()}`, 'row');
      if (cells > 0 && this.#rows === 1) this.#push(`|${'---|'.repeat(Math.min(cells, 100))}`, 'row');
      this.#kind = 'block';
      this.#line = '';
    }
  }

  cell(): void {
    if (this.#kind !== 'row') return;
    this.#cells += 1;
    this.#line = `${this.#line.trimEnd()} | `;
  }

  lineBreak(): void {
    if (this.#pre > 0 || this.#kind === 'block') this.#line = `${this.#line.trimEnd()}\n`;
    else this.#line += ' ';
  }

  rule(): void {
    this.endBlock();
    if (this.#pre === 0 && this.#kind === 'block') this.#push('---', 'block');
  }

  /** Where a link's text begins. */
  mark(): number {
    return this.#line.length;
  }

  link(from: number, target: string): void {
    if (this.#pre > 0) return;
    const text = this.#line.slice(from).trim();
    // Its text is in a block that has ended, or there is none.
    if (text === '') return;
    this.#line = `${this.#line.slice(0, from)}[${text}](${target})`;
  }

  /** The number of blocks. */
  finish(): number {
    while (this.#pre > 0) this.pre(false);
    this.row(false);
    this.#leaveItem();
    return this.#blocks.length;
  }

  join(from: number, to: number): string {
    let text = '';
    let before: Block | undefined;
    for (const block of this.#blocks.slice(from, to)) {
      const isTight = before !== undefined && block.kind !== 'block' && block.kind === before.kind;
      text += before === undefined ? block.text : `${isTight ? '\n' : '\n\n'}${block.text}`;
      before = block;
    }
    return text;
  }

  #leaveItem(): void {
    this.endBlock();
    if (this.#kind === 'row') return;
    this.#start = '';
    this.#kind = 'block';
  }

  #push(text: string, kind: Block['kind']): void {
    const quote = '> '.repeat(Math.min(MAX_INDENT, this.#quotes));
    const quoted = quote === '' ? text : text.replace(/^/gm, quote);
    this.#blocks.push({ text: quoted, kind });
    this.#rows = kind === 'row' ? this.#rows + 1 : 0;
    this.size += quoted.length;
    this.#line = '';
  }
}
