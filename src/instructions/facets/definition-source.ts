import type { Diagnostic, Severity } from '../../base/index.ts';
import { isRecord } from '../../base/index.ts';
import type { FoundFile, Json } from '../../model/index.ts';

/** From 1; empty where there is no file to point into. */
export type Position = { line?: number; column?: number };

/** What a definition says below the product's key. `key`: the product key that is there; null: none is. */
export type ProductSection = { key: string | null; value: Json | undefined };

/** Where a definition comes from, for what is said about it. `at`: keys from the outermost; `word`: inside the value. */
export type DefinitionSource = {
  path: string;
  position(at: readonly string[], word?: string): Position;
};

const TOP: Position = { line: 1, column: 1 };
const BEFORE_KEY = ' \t{,"\'-?';

/** The value of an own key of the front matter; a name such as `constructor` finds nothing that is not there. */
export function frontMatterValue(file: FoundFile, key: string): Json | undefined {
  const data = file.frontMatter?.data;
  return data !== undefined && Object.hasOwn(data, key) ? data[key] : undefined;
}

/** The first of the product keys that the front matter has, with its value. */
export function productSection(file: FoundFile, productKeys: readonly string[]): ProductSection {
  const data = file.frontMatter?.data ?? {};
  const key = productKeys.find((name) => Object.hasOwn(data, name)) ?? null;
  return { key, value: key === null ? undefined : data[key] };
}

/** Own entries of a mapping; none of anything else. */
export function entriesOf(value: Json | undefined): [string, Json][] {
  return isRecord(value) ? (Object.entries(value) as [string, Json][]) : [];
}

/** The text after the front matter and the line, from 1, that it begins at. */
export function bodyOf(file: FoundFile): { text: string; line: number } {
  const head = file.frontMatter ?? null;
  if (head === null || head.read === 'failed') return { text: file.text, line: 1 };
  return { text: file.text.slice(head.bodyStart), line: head.bodyLine };
}

/** The lines of the front matter, its delimiters included. */
export function headLines(file: FoundFile): string[] {
  return file.text.slice(0, file.frontMatter?.bodyStart ?? 0).split(/\r\n|\r|\n/);
}

/** The index, from 0, of the line of a top-level key, and that of the first line which is no longer its value's. */
export function linesOfKey(file: FoundFile, key: string, lines: readonly string[]): [number, number] | null {
  const known = file.frontMatter?.lines ?? {};
  const line = Object.hasOwn(known, key) ? known[key] : undefined;
  if (line === undefined) return null;
  const next = lines.findIndex((text, index) => index >= line && /^[^\s#-]/.test(text));
  return [line - 1, next < 0 ? lines.length : next];
}

function columnOfKey(text: string, key: string): number {
  // An empty key is found everywhere, and past the end without end.
  if (key === '') return -1;
  for (let at = text.indexOf(key); at >= 0; at = text.indexOf(key, at + 1)) {
    const isStart = at === 0 || BEFORE_KEY.includes(text.charAt(at - 1));
    if (isStart && /^["']?[ \t]*:/.test(text.slice(at + key.length, at + key.length + 20))) return at;
  }
  return -1;
}

/** Where in a file something stands, as near as it can be told: the parser reports top-level keys only. */
function positionIn(file: FoundFile, lines: readonly string[], at: readonly string[], word?: string): Position {
  const [top, ...below] = at;
  const range = top === undefined ? null : linesOfKey(file, top, lines);
  if (range === null) return TOP;
  const end = range[1];
  let index = range[0];
  let column = 0;
  for (const key of below) {
    const found = lines.findIndex((text, line) => line >= index && line < end && columnOfKey(text, key) >= 0);
    if (found < 0) break;
    index = found;
    column = columnOfKey(lines[found] ?? '', key);
  }
  if (word !== undefined && word !== '') {
    const from = column;
    const found = lines.findIndex(
      (text, line) => line >= index && line < end && text.includes(word, line === index ? from : 0),
    );
    if (found >= 0) column = (lines[found] ?? '').indexOf(word, found === index ? from : 0);
    if (found >= 0) index = found;
  }
  return { line: index + 1, column: column + 1 };
}

export function fileSource(file: FoundFile): DefinitionSource {
  let lines: readonly string[] | undefined;
  return {
    path: file.path,
    position(at, word) {
      lines ??= headLines(file);
      return positionIn(file, lines, at, word);
    },
  };
}

/** A text that the program ships has no lines to point to. */
export function shippedSource(uri: string): DefinitionSource {
  return { path: uri, position: () => ({}) };
}

/** A diagnostic about one key of a definition. */
export function keyDiagnostic(
  source: DefinitionSource,
  severity: Severity,
  code: string,
  message: string,
  at: readonly string[],
  word?: string,
): Diagnostic {
  return { severity, code, message, path: source.path, ...source.position(at, word) };
}
