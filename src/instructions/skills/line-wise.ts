import type { FoundFile, Json } from '../../model/index.ts';
import { headLines, linesOfKey } from '../facets/definition-source.ts';

/** Lines of one value that are looked at. */
const MAX_LINES = 256;
const HIDES = /disable[_-]model[_-]invocation["']?[ \t]*:[ \t]*true/;

function plain(text: string): string {
  const trimmed = text.trim();
  const quote = trimmed.charAt(0);
  const isQuoted = trimmed.length > 1 && (quote === '"' || quote === "'") && trimmed.endsWith(quote);
  return isQuoted ? trimmed.slice(1, -1) : trimmed;
}

function scalarOrList(text: string): Json {
  const trimmed = text.trim();
  if (!trimmed.startsWith('[') || !trimmed.endsWith(']')) return plain(trimmed);
  return trimmed
    .slice(1, -1)
    .split(',')
    .map(plain)
    .filter((item) => item !== '');
}

/**
 * Front matter that is no YAML, with a line that would hide the skill wherever it stands. Faults can take the line out
 * of what was read, and a skill must not become visible by them.
 */
export function hidesInWords(file: FoundFile): boolean {
  return file.frontMatter?.read === 'line-wise' && headLines(file).some((line) => HIDES.test(line));
}

/** The lines below a top-level key that belong to it. */
function linesBelow(file: FoundFile, key: string): string[] {
  const lines = headLines(file);
  const range = linesOfKey(file, key, lines);
  return range === null ? [] : lines.slice(range[0] + 1, Math.min(range[1], range[0] + 1 + MAX_LINES));
}

/** The rest of the line of a top-level key, whatever YAML makes of it. */
export function restOfLine(file: FoundFile, key: string): string {
  const lines = headLines(file);
  const range = linesOfKey(file, key, lines);
  const line = range === null ? '' : (lines[range[0]] ?? '');
  const colon = line.indexOf(':');
  return colon < 0 ? '' : plain(line.slice(colon + 1));
}

/** The items of a block list below a top-level key, each as text. */
export function itemsBelow(file: FoundFile, key: string): string[] {
  return linesBelow(file, key).flatMap((line) => {
    const text = line.trim();
    return text.startsWith('- ') ? [plain(text.slice(2))] : [];
  });
}

/**
 * What stands below a top-level key of front matter that is no YAML: one level of `key: value`, with lists. So that a
 * mistake in one line does not make a hidden skill a visible one.
 */
export function mappingBelow(file: FoundFile, key: string): Record<string, Json> | null {
  const values = new Map<string, Json>();
  let last = '';
  for (const line of linesBelow(file, key)) {
    const text = line.trim();
    const colon = text.indexOf(':');
    if (text === '' || text.startsWith('#')) continue;
    if (text.startsWith('- ')) {
      const before = values.get(last);
      values.set(last, [...(Array.isArray(before) ? before : []), plain(text.slice(2))]);
    } else if (colon > 0) {
      last = plain(text.slice(0, colon));
      values.set(last, scalarOrList(text.slice(colon + 1)));
    }
  }
  values.delete('');
  return values.size === 0 ? null : Object.fromEntries(values);
}
