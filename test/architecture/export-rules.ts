import { unitOf } from './import-rules.ts';
import type { SourceTree, Violation } from './source-tree.ts';
import { type Token, tokenize } from './tokenize.ts';

type Exported = { name: string; line: number };

/** What the package offers to others: `exports` of package.json. */
const PUBLIC = ['src/sdk/index.ts', 'src/testing/index.ts'];

const DECLARES = ['function', 'const', 'class'];
/** What a layer throws is part of its contract, whether or not anybody tells it from other errors yet. */
const THROWN = /Error$/;
const BEFORE_DECLARATION = ['async', 'abstract'];

/** `export function name`, `export const name`, `export class Name`. Types are left out: a signature may need its own. */
function declaredValues(tokens: readonly Token[]): Exported[] {
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || token.text !== 'export') return [];
    let at = index + 1;
    while (BEFORE_DECLARATION.includes(tokens[at]?.text ?? '')) at += 1;
    if (!DECLARES.includes(tokens[at]?.text ?? '')) return [];
    if (tokens[at + 1]?.text === '*') at += 1;
    const name = tokens[at + 1];
    return name?.kind === 'word' ? [{ name: name.text, line: name.line }] : [];
  });
}

/** The values of `export { a, type B, c as d } from`. */
function passedOnValues(tokens: readonly Token[]): Exported[] {
  const values: Exported[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || token.text !== 'export' || tokens[index + 1]?.text !== '{') continue;
    for (let at = index + 2; at < tokens.length && tokens[at]?.text !== '}'; at += 1) {
      const [before, item, after] = [tokens[at - 1], tokens[at], tokens[at + 1]];
      const isLast = after?.text === ',' || after?.text === '}';
      if (item?.kind === 'word' && isLast && before?.text !== 'type') values.push({ name: item.text, line: item.line });
    }
  }
  return values;
}

/**
 * Values that nothing else mentions: of a file no other file, of a layer's entry no file outside the unit. `elsewhere`:
 * sources beside the tree that may use it. A name counts wherever it stands, so what is reported is unused.
 */
export function checkExports(tree: SourceTree, elsewhere: SourceTree): Violation[] {
  const sources = [...tree, ...elsewhere].map(([file, source]) => ({ file, tokens: tokenize(source) }));
  const users = new Map<string, Set<string>>();
  for (const { file, tokens } of sources) {
    for (const { kind, text } of tokens) {
      if (kind === 'word') users.set(text, (users.get(text) ?? new Set()).add(file));
    }
  }
  const isUsed = (name: string, by: (file: string) => boolean): boolean => [...(users.get(name) ?? [])].some(by);
  return sources.flatMap(({ file, tokens }) => {
    if (!tree.has(file) || PUBLIC.includes(file)) return [];
    const isEntry = file.endsWith('/index.ts');
    const exported = isEntry ? passedOnValues(tokens) : declaredValues(tokens);
    const outside = isEntry
      ? (user: string) => unitOf(user) !== unitOf(file)
      : (user: string) => user !== file && !user.endsWith('/index.ts');
    return exported
      .filter(({ name }) => !THROWN.test(name) && !isUsed(name, outside))
      .map(({ name, line }) => ({ rule: 'unused-export', file, line, detail: name }));
  });
}
