import { Parser } from 'htmlparser2';
import { MarkdownWriter } from './markdown-writer.ts';

export type HtmlText = {
  markdown: string;
  /** The page was too deep or too much of it: what came after is missing. */
  cutShort: boolean;
};

// Deeper, an open tag costs as much as there are tags above it.
const MAX_DEPTH = 1000;
const CHUNK = 16 * 1024;
// Links are made absolute, so that the text may be longer than the page.
const MAX_OUTPUT = 8 * 1024 * 1024;
// Less text than that in `<main>` is not what the page is about.
const LEAST_MAIN = 200;

/** What is not for reading, with all that is in it. */
const SKIPPED = new Set(
  'script style noscript template svg math iframe object canvas audio video select nav dialog'.split(' '),
);
const BLOCKS = new Set(
  'address article aside body center dd details div dl dt fieldset figcaption figure footer form header html main p section summary'.split(
    ' ',
  ),
);
const HEADING = /^h([1-6])$/;

/**
 * A page as Markdown: headings, paragraphs, lists, tables, code and links, the links absolute. Of a page that marks its
 * main part only that and the title.
 */
export function htmlToMarkdown(html: string, base: string): HtmlText {
  const page = new Page(base);
  const parser = new Parser(
    {
      onopentag: (name, attributes) => page.open(name, attributes),
      onclosetag: (name) => page.close(name),
      ontext: (text) => page.text(text),
    },
    { lowerCaseTags: true, decodeEntities: true },
  );
  let at = 0;
  for (; at < html.length && page.depth <= MAX_DEPTH && page.size <= MAX_OUTPUT; at += CHUNK) {
    parser.write(html.slice(at, at + CHUNK));
  }
  if (at >= html.length) parser.end();
  return { markdown: page.finish(), cutShort: at < html.length };
}

type Link = { href: string; at: number };

class Page {
  depth = 0;
  readonly #base: string;
  readonly #writer = new MarkdownWriter();
  readonly #links: (Link | null)[] = [];
  /** Of each open tag whether what is in it is skipped. */
  readonly #skips: boolean[] = [];
  #skipping = 0;
  #title = '';
  #inTitle = false;
  #main: { from: number; to: number } | null = null;
  #mainDepth = 0;

  constructor(base: string) {
    this.#base = base;
  }

  get size(): number {
    return this.#writer.size;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    this.depth += 1;
    const skips = SKIPPED.has(name) || isHidden(attributes);
    this.#skips.push(skips);
    if (skips) this.#skipping += 1;
    if (this.#skipping > 0) return;
    if (name === 'title' && this.#title === '') this.#inTitle = true;
    else if (name === 'main') this.#openMain();
    else if (name === 'a') this.#links.push({ href: attributes.href ?? '', at: this.#writer.mark() });
    else if (name === 'img') this.#image(attributes.alt ?? '');
    else this.#format(name, true);
  }

  close(name: string): void {
    this.depth -= 1;
    if (this.#skips.pop() === true) {
      this.#skipping -= 1;
      return;
    }
    if (this.#skipping > 0) return;
    if (name === 'title') this.#inTitle = false;
    else if (name === 'main') this.#closeMain();
    else if (name === 'a') this.#closeLink();
    else this.#format(name, false);
  }

  text(text: string): void {
    if (this.#skipping > 0) return;
    if (this.#inTitle) this.#title += text.slice(0, 1000);
    else this.#writer.text(text);
  }

  finish(): string {
    const blocks = this.#writer.finish();
    const main = this.#main === null ? '' : this.#writer.join(this.#main.from, this.#main.to);
    const body = main.length >= LEAST_MAIN ? main : this.#writer.join(0, blocks);
    const title = this.#title.replace(/\s+/g, ' ').trim();
    const isSaid = title === '' || body.startsWith(`# ${title}\n`);
    return isSaid ? body : `# ${title}\n\n${body}`.trimEnd();
  }

  #format(name: string, opens: boolean): void {
    const heading = HEADING.exec(name)?.[1];
    if (heading !== undefined) this.#writer.heading(opens ? Number(heading) : 0);
    else if (BLOCKS.has(name)) this.#writer.endBlock();
    else if (name === 'ul' || name === 'ol') this.#writer.list(opens ? name : null);
    else if (name === 'li') this.#writer.item(opens);
    else if (name === 'pre') this.#writer.pre(opens);
    else if (name === 'code' || name === 'kbd' || name === 'samp') this.#writer.code();
    else if (name === 'blockquote') this.#writer.quote(opens);
    else if (name === 'tr') this.#writer.row(opens);
    else if ((name === 'td' || name === 'th') && !opens) this.#writer.cell();
    else if (name === 'table' || name === 'caption') this.#writer.endBlock();
    else if (name === 'br' && opens) this.#writer.lineBreak();
    else if (name === 'hr' && opens) this.#writer.rule();
  }

  #openMain(): void {
    this.#writer.endBlock();
    this.#mainDepth += 1;
    if (this.#main === null) this.#main = { from: this.#writer.blocks, to: Number.MAX_SAFE_INTEGER };
  }

  #closeMain(): void {
    this.#writer.endBlock();
    this.#mainDepth -= 1;
    if (this.#main !== null && this.#mainDepth === 0) this.#main.to = this.#writer.blocks;
  }

  #closeLink(): void {
    const link = this.#links.pop();
    if (link === undefined || link === null) return;
    const target = absolute(link.href, this.#base);
    if (target !== null) this.#writer.link(link.at, target);
  }

  #image(alt: string): void {
    const said = alt.replace(/\s+/g, ' ').trim();
    if (said !== '') this.#writer.text(` [image: ${said.slice(0, 500)}] `);
  }
}

/** What a person does not see is not what the page says. */
function isHidden(attributes: Readonly<Record<string, string>>): boolean {
  if (attributes.hidden !== undefined || attributes['aria-hidden'] === 'true') return true;
  return /display\s*:\s*none|visibility\s*:\s*hidden/i.test(attributes.style?.slice(0, 1000) ?? '');
}

/** Null: it leads nowhere else, or to no page. */
function absolute(href: string, base: string): string | null {
  if (href === '' || href.startsWith('#') || !URL.canParse(href, base)) return null;
  const url = new URL(href, base);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
}
