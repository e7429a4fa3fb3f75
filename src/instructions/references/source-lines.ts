/** A line of a text, UTF-16 offsets: the text from `start` to `end`, its line end up to `next`. */
export type SourceLine = { start: number; end: number; next: number };

/** The lines of the text, whichever way they end. At least one. */
export function linesOf(text: string): SourceLine[] {
  const lines: SourceLine[] = [];
  let start = 0;
  for (const { 0: mark, index } of text.matchAll(/\r\n|\n|\r/g)) {
    lines.push({ start, end: index, next: index + mark.length });
    start = index + mark.length;
  }
  lines.push({ start, end: text.length, next: text.length });
  return lines;
}
