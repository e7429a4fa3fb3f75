import type { Diagnostic } from '../base/index.ts';

/**
 * Takes the force out of a program's own closing tags inside a text that goes between them: `</name>` becomes
 * `&lt;/name>`, in any letter case, with spaces, and with what a reader of tags would pass over before the `>`. `lines`:
 * where that happened, 1-based.
 */
export function neutraliseClosingTags(text: string, names: readonly string[]): { text: string; lines: number[] } {
  const pattern = new RegExp(`<\\s*/\\s*(?:${names.join('|')})(?=[\\s/>])|[<>]`, 'gi');
  const places = closingTags([...text.matchAll(pattern)]);
  const lines = new Set<number>();
  let neutral = '';
  let line = 1;
  let from = 0;
  for (const place of places) {
    for (let at = text.indexOf('\n', from); at >= 0 && at < place; at = text.indexOf('\n', at + 1)) line += 1;
    lines.add(line);
    neutral += `${text.slice(from, place)}&lt;`;
    from = place + 1;
  }
  return { text: neutral + text.slice(from), lines: [...lines] };
}

/**
 * Where closing tags begin, of their beginnings and of every angle bracket. From the end: what is written out stops no
 * tag before it, so that one which is unfinished now would be finished then.
 */
function closingTags(marks: readonly RegExpMatchArray[]): number[] {
  const places: number[] = [];
  let isFinished = false;
  for (const { 0: mark, index } of marks.toReversed()) {
    if (mark === '>') isFinished = true;
    else if (mark === '<') isFinished = false;
    else if (isFinished && index !== undefined) places.push(index);
  }
  return places.reverse();
}

export function closingTagDiagnostic(path: string, lines: readonly number[]): Diagnostic {
  const [line = 1] = lines;
  return {
    severity: 'warning',
    code: 'instructions/closing-tag',
    message: 'the file holds a closing tag of the message that carries it; it was sent as plain text (&lt;/…>)',
    path,
    line,
    data: { lines },
  };
}
