import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checkEffects } from './effect-rules.ts';
import { checkExports } from './export-rules.ts';
import { checkImports } from './import-rules.ts';
import { UNITS } from './layers.ts';
import { PLANTED_TREE, PLANTED_USERS, PLANTED_VIOLATIONS } from './planted-violations.ts';
import { readImports } from './read-imports.ts';
import { readSourceTree, type SourceTree, type Violation } from './source-tree.ts';
import { tokenize } from './tokenize.ts';

function check(tree: SourceTree, elsewhere: SourceTree): Violation[] {
  return [...checkImports(tree), ...checkEffects(tree), ...checkExports(tree, elsewhere)];
}

function sorted(violations: Violation[]): string[] {
  return violations.map(({ rule, file, line, detail }) => `${file}:${line}: ${rule}: ${detail}`).sort();
}

const root = join(import.meta.dirname, '../..');
const tree = readSourceTree(root, ['src']);
const elsewhere = readSourceTree(root, ['test', 'conformance', 'scripts', 'bench']);

describe('the rules themselves', () => {
  test('report each planted violation and nothing else', () => {
    expect(sorted(check(PLANTED_TREE, PLANTED_USERS))).toEqual(sorted(PLANTED_VIOLATIONS));
  });

  test('are each broken once by the planted tree', () => {
    expect([...new Set(PLANTED_VIOLATIONS.map(({ rule }) => rule))].sort()).toEqual([
      'ambient-effect',
      'bare-error',
      'computed-import',
      'cycle',
      'entry',
      'harness-name',
      'layer',
      'leaves-src',
      'missing',
      'separate-folders',
      'unknown-layer',
      'unused-export',
    ]);
  });

  test('read every form of import', () => {
    const source = [
      `import './a.ts';`,
      `import b, { type B } from "./b.ts";`,
      `import * as c from './c.ts';`,
      `import type { D } from './d.ts';`,
      `import type E from './e.ts';`,
      `import type from './f.ts';`,
      `export { g } from './g.ts'; export * from './h.ts'; export * as i from './i.ts';`,
      `export type { J } from './j.ts'; export type K = string; export { k }; export type * from './l.ts';`,
      `const m = await import('./m.ts'); import.meta.url; loader.import('./no.ts');`,
      `const from = 'x'; export const n = 1; export default from;`,
    ].join('\n');
    expect(readImports(tokenize(source)).map(({ kind, specifier }) => `${kind} ${specifier}`)).toEqual([
      'static ./a.ts',
      'static ./b.ts',
      'static ./c.ts',
      'type ./d.ts',
      'type ./e.ts',
      'static ./f.ts',
      'static ./g.ts',
      'static ./h.ts',
      'static ./i.ts',
      'type ./j.ts',
      'type ./l.ts',
      'dynamic ./m.ts',
    ]);
  });
});

describe('the source', () => {
  test('is read: every folder of src is a listed layer with an entry, or the command', () => {
    const folders = [
      ...new Set([...tree.keys()].filter((file) => file.split('/').length > 2).map((file) => file.split('/')[1] ?? '')),
    ];
    const listed = Object.keys(UNITS).filter((unit) => !unit.includes('/'));
    expect(folders.filter((folder) => !listed.includes(folder))).toEqual([]);
    expect(folders.filter((folder) => folder !== 'cli' && !tree.has(`src/${folder}/index.ts`))).toEqual([]);
    expect(tree.has('src/base/error.ts')).toBe(true);
  });

  test('keeps to the import table, without a cycle, an effect outside its port or an unused export', () => {
    expect(sorted(check(tree, elsewhere))).toEqual([]);
  });
});
