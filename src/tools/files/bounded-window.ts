import { byteLength } from '../../base/index.ts';
import type { ReadArgs } from '../contract/index.ts';
import type { LineWindow } from './line-window.ts';

export type BoundedRequest = {
  /** 1-based; `fromEnd`: begin that many lines before the end instead. */
  from: { firstLine: number } | { fromEnd: number };
  lineCount: number;
  bounds: ReadArgs['bounds'] & {};
};

export type BoundedLines = LineWindow & { shortenedAt: number[]; ended: 'lines' | 'bytes' | null };

type Taken = { number: number; text: string; size: number; shortened: boolean };

const MARKER = '...';

/** A window by a caller's own bounds. Takes lines one by one, and keeps no more of them than it may show. */
export class BoundedWindow {
  readonly #request: BoundedRequest;
  #lines: Taken[] = [];
  #line = 0;
  #bytes = 0;
  #ended: BoundedLines['ended'] = null;

  constructor(request: BoundedRequest) {
    this.#request = request;
  }

  /** One line with its end, if it has one. */
  add(line: string): void {
    this.#line += 1;
    const { from } = this.#request;
    if ('fromEnd' in from) this.#addLast(line, from.fromEnd);
    else if (this.#line >= from.firstLine) this.#addNext(line);
  }

  finish(): BoundedLines {
    const { from } = this.#request;
    if ('fromEnd' in from) this.#fitLast();
    const first = this.#lines[0]?.number ?? ('fromEnd' in from ? this.#line + 1 : from.firstLine);
    const shortenedAt = this.#lines.filter(({ shortened }) => shortened).map(({ number }) => number);
    return {
      text: this.#lines.map(({ text }) => text).join(''),
      firstLine: first,
      lastLine: first + this.#lines.length - 1,
      totalLines: this.#line,
      shortenedLines: shortenedAt.length,
      shortenedAt,
      ended: this.#ended,
    };
  }

  #addNext(line: string): void {
    const { lineCount, bounds } = this.#request;
    if (this.#ended !== null || this.#lines.length >= lineCount) return;
    this.#take(line);
    // A window that has all its lines was not ended by a bound.
    if (this.#lines.length >= lineCount) return;
    if (this.#lines.length >= bounds.lines) this.#ended = 'lines';
    else if (this.#bytes >= bounds.bytes) this.#ended = 'bytes';
  }

  #addLast(line: string, count: number): void {
    this.#take(line);
    if (this.#lines.length > count) this.#bytes -= this.#lines.shift()?.size ?? 0;
  }

  #fitLast(): void {
    const { lineCount, bounds } = this.#request;
    if (this.#lines.length > bounds.lines && lineCount > bounds.lines) this.#ended = 'lines';
    this.#lines = this.#lines.slice(0, Math.min(lineCount, bounds.lines));
    this.#bytes = this.#lines.reduce((sum, { size }) => sum + size, 0);
    while (this.#bytes > bounds.bytes && this.#lines.length > 0) {
      this.#ended = 'bytes';
      this.#bytes -= this.#lines.shift()?.size ?? 0;
    }
  }

  #take(line: string): void {
    const text = shorten(line, this.#request.bounds.lineLength);
    const size = byteLength(text);
    this.#bytes += size;
    this.#lines.push({ number: this.#line, text, size, shortened: text !== line });
  }
}

function shorten(line: string, most: number): string {
  if (line.length <= most) return line;
  // A line of more than two units for each character is too long whatever its characters are.
  const characters = Array.from(line.slice(0, 2 * most + 1));
  if (characters.length <= most) return line;
  const end = /\r?\n$|\r$/.exec(line)?.[0] ?? '';
  return `${characters.slice(0, Math.max(0, most - MARKER.length - end.length)).join('')}${MARKER}${end}`;
}
