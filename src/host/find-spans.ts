import type { RegexSearch, RegexSpans } from './regex.ts';

/** The search itself, without a limit of time. It refers to nothing outside: its text runs in another context too. */
export function findSpans({ pattern, flags, text, lines, maxSpans }: RegexSearch): RegexSpans {
  const spans: number[] = [];
  const regex = new RegExp(pattern, `${flags}g`);
  for (let start = 0; start <= text.length && spans.length < maxSpans * 2; ) {
    const newline = lines ? text.indexOf('\n', start) : -1;
    const end = newline === -1 ? text.length : newline;
    // What follows the last newline is no line.
    if (lines && start === text.length && start > 0) break;
    const part = lines ? text.slice(start, end) : text;
    regex.lastIndex = 0;
    for (let match = regex.exec(part); match !== null && spans.length < maxSpans * 2; match = regex.exec(part)) {
      spans.push(start + match.index, start + match.index + match[0].length);
      if (match[0] === '') regex.lastIndex += 1;
    }
    start = end + 1;
  }
  return spans;
}
