import type { Json, TemplateContext } from '../../model/index.ts';

/** `root.a["b"]` in a line of a template: UTF-16 offsets of the whole, and each name with the offset of its end. */
export type WrittenPath = { start: number; end: number; names: readonly { name: string; end: number }[] };

const PIECE = /([A-Za-z_][A-Za-z0-9_]*)|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|./gsu;
const STEP = /[ \t]*\.[ \t]*([A-Za-z_][A-Za-z0-9_]*)|\[[ \t]*(?:"([^"\\]*)"|'([^'\\]*)')[ \t]*\]/y;
const WORDS = new Set(
  'and or not in is if else elif endif for endfor set endset true false none True False None defined undefined'.split(
    ' ',
  ),
);
/** UTF-16 units; a longer line is not looked at. */
const MAX_LINE = 10_000;

/** Names that stand in the line outside of strings and are no words of the language, filters or functions. */
export function pathsIn(line: string): WrittenPath[] {
  if (line.length > MAX_LINE) return [];
  const paths: WrittenPath[] = [];
  let from = 0;
  for (const match of line.matchAll(PIECE)) {
    const root = match[1];
    if (root === undefined || match.index < from || WORDS.has(root) || followsPipe(line, match.index)) continue;
    const path = pathAt(line, match.index, root);
    from = path.end;
    paths.push(path);
  }
  return paths;
}

function followsPipe(line: string, at: number): boolean {
  return line.slice(0, at).trimEnd().endsWith('|');
}

function pathAt(line: string, start: number, root: string): WrittenPath {
  const names = [{ name: root, end: start + root.length }];
  for (;;) {
    STEP.lastIndex = names.at(-1)?.end ?? start;
    const step = STEP.exec(line);
    if (step === null) return { start, end: names.at(-1)?.end ?? start, names };
    names.push({ name: step[1] ?? step[2] ?? step[3] ?? '', end: STEP.lastIndex });
  }
}

/** How many of the path's names, from the first, lead to a value. */
export function definedNames(path: WrittenPath, { variables }: TemplateContext): number {
  let value: Json | undefined = variables as { [key: string]: Json };
  for (const [index, { name }] of path.names.entries()) {
    if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
      return index;
    value = value[name];
  }
  return path.names.length;
}

/** As a person writes it: `root.a.b`, as far as `count` names. */
export function pathText(path: WrittenPath, count: number = path.names.length): string {
  return path.names
    .slice(0, count)
    .map(({ name }) => name)
    .join('.');
}
