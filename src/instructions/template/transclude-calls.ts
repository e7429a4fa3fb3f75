const CALL = /transclude[ \t\n\r\f]*\([ \t\n\r\f]*(?:"([^"\\]*)"|'([^'\\]*)')/g;

/** The arguments that `transclude` is called with by a text as written, wherever that stands; a hint, no parser. */
export function writtenTargets(text: string): string[] {
  return [...text.matchAll(CALL)].map((match) => match[1] ?? match[2] ?? '');
}

/** The line, from 1, of the first such call. */
export function lineOfTarget(text: string, target: string): number | null {
  for (const match of text.matchAll(CALL)) {
    if ((match[1] ?? match[2]) === target) return text.slice(0, match.index).split('\n').length;
  }
  return null;
}
