import { byteLength, cutHead } from '../../base/index.ts';

/** Lines are 1-based and inclusive; `lastLine` is `firstLine - 1` where there is none. */
export type LineWindow = {
  text: string;
  firstLine: number;
  lastLine: number;
  totalLines: number;
  shortenedLines: number;
};

export type WindowRequest = {
  firstLine: number;
  lineCount: number;
  /** Of the whole text: only whole lines are taken, the first one in any case. */
  maxBytes: number;
  /** Of one line, its end not counted. */
  lineBytes: number;
};

/** What ends a line: `\r` alone only where the text has no `\n` at all, as old Macintosh files are. */
export function lineEnd(text: string): '\n' | '\r' {
  return !text.includes('\n') && text.includes('\r') ? '\r' : '\n';
}

/** A last line without an end counts as a line. */
export function countLines(text: string): number {
  const end = lineEnd(text);
  let count = 0;
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, at + 1)) count += 1;
  return count + (text.length > 0 && !text.endsWith(end) ? 1 : 0);
}

/** Takes lines one by one, so that a large file need never be there as a whole. */
export class WindowCollector {
  readonly #request: WindowRequest;
  readonly #lines: string[] = [];
  #line = 0;
  #bytes = 0;
  #full = false;
  #shortened = 0;

  constructor(request: WindowRequest) {
    this.#request = request;
  }

  /** One line with its end, if it has one; `missingBytes` of its text were left out before. */
  add(line: string, missingBytes = 0): void {
    this.#line += 1;
    const { firstLine, lineCount, maxBytes, lineBytes } = this.#request;
    if (this.#full || this.#line < firstLine || this.#lines.length >= lineCount) return;
    const shown = shorten(line, lineBytes, missingBytes);
    const size = byteLength(shown);
    if (this.#lines.length > 0 && this.#bytes + size > maxBytes) {
      this.#full = true;
      return;
    }
    if (shown !== line) this.#shortened += 1;
    this.#bytes += size;
    this.#lines.push(shown);
  }

  finish(): LineWindow {
    const { firstLine } = this.#request;
    return {
      text: this.#lines.join(''),
      firstLine,
      lastLine: firstLine + this.#lines.length - 1,
      totalLines: this.#line,
      shortenedLines: this.#shortened,
    };
  }
}

/** Each line with its end. */
export function* splitLines(text: string): Generator<string> {
  const end = lineEnd(text);
  let start = 0;
  for (let at = text.indexOf(end); at !== -1; at = text.indexOf(end, start)) {
    yield text.slice(start, at + 1);
    start = at + 1;
  }
  if (start < text.length) yield text.slice(start);
}

function shorten(line: string, lineBytes: number, missingBytes: number): string {
  // A line of at most this many UTF-16 units fits whatever its characters are.
  if (line.length * 3 <= lineBytes && missingBytes === 0) return line;
  const end = /\r?\n$|\r$/.exec(line)?.[0] ?? '';
  const body = line.slice(0, line.length - end.length);
  const size = byteLength(body);
  if (size <= lineBytes && missingBytes === 0) return line;
  const kept = cutHead(body, lineBytes);
  return `${kept} […${size - byteLength(kept) + missingBytes} more bytes in this line]${end}`;
}
