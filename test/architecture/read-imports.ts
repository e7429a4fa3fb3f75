import type { Token } from './tokenize.ts';

export type Import = {
  /** type: gone at run time. dynamic: `import()`. static: everything else, re-exports and side effects included. */
  kind: 'static' | 'type' | 'dynamic';
  /** As written; null where `import()` is given something computed. */
  specifier: string | null;
  line: number;
};

function is(token: Token | undefined, text: string): boolean {
  return token !== undefined && token.text === text && (token.kind === 'word' || token.kind === 'mark');
}

/** The index of `from` that closes the clause beginning at `start`, or -1: the statement names no module. */
function findFrom(tokens: readonly Token[], start: number): number {
  let index = start;
  let depth = 0;
  while (index < tokens.length) {
    const token = tokens[index];
    if (is(token, '{')) depth += 1;
    else if (is(token, '}')) depth -= 1;
    else if (depth === 0 && is(token, 'from') && tokens[index + 1]?.kind === 'string') return index;
    else if (depth === 0 && !(token?.kind === 'word' || is(token, '*') || is(token, ','))) return -1;
    index += 1;
  }
  return -1;
}

function readClause(tokens: readonly Token[], index: number): Import | undefined {
  const next = tokens[index + 1];
  const line = tokens[index]?.line ?? 0;
  // `import type X`, `import type { X }`, `export type { X } from`; not a default import that is called `type`.
  const isType = is(next, 'type') && !is(tokens[index + 2], 'from') && !is(tokens[index + 2], ',');
  const from = findFrom(tokens, index + (isType ? 2 : 1));
  if (from === -1) return undefined;
  return { kind: isType ? 'type' : 'static', specifier: tokens[from + 1]?.text ?? null, line };
}

/**
 * Every module a file names: static, side-effect, type, dynamic imports and re-exports. `import { type X }` counts as
 * static: under `verbatimModuleSyntax` the module is still loaded.
 */
export function readImports(tokens: readonly Token[]): Import[] {
  const imports: Import[] = [];
  for (const [index, token] of tokens.entries()) {
    if (token.kind !== 'word' || is(tokens[index - 1], '.')) continue;
    const next = tokens[index + 1];
    if (token.text === 'import' && next?.kind === 'string') {
      imports.push({ kind: 'static', specifier: next.text, line: token.line });
    } else if ((token.text === 'import' || token.text === 'require') && is(next, '(')) {
      const given = tokens[index + 2];
      const isPlain = given?.kind === 'string' && (is(tokens[index + 3], ')') || is(tokens[index + 3], ','));
      imports.push({ kind: 'dynamic', specifier: isPlain ? given.text : null, line: token.line });
    } else if (
      token.text === 'import' ||
      (token.text === 'export' && (is(next, '{') || is(next, '*') || is(next, 'type')))
    ) {
      const clause = readClause(tokens, index);
      if (clause !== undefined) imports.push(clause);
    }
  }
  return imports;
}
