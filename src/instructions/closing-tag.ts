import type { Diagnostic } from '../base/index.ts';

/**
 * Takes the force out of a program's own closing tags inside a text that goes between them: `</name>` becomes
 * `&lt;/name>`, in any letter case, with spaces, and with what a reader of tags would pass over before the `>`. `lines`:
 * where that happened, 1-based.
 */
export function neutraliseClosingTags(text: string, names: readonly string[]): { text: string; lines: number[] } {
  const pattern = new RegExp(`<(?=\\s*/\\s*(?:${names.join('|')})(?:[\\s/][^<>]*)?>)`, 'gi');
  if (!pattern.test(text)) return { text, lines: [] };
  const lines = new Set<number>();
  let line = 1;
  let counted = 0;
  const neutral = text.replace(pattern, (_tag, offset: number) => {
    for (let at = text.indexOf('\n', counted); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
      line += 1;
      counted = at + 1;
    }
    lines.add(line);
    return '&lt;';
  });
  return { text: neutral, lines: [...lines] };
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
