import type { SourceTree, Violation } from './source-tree.ts';

type Planted = Record<string, { source: string; violations?: Omit<Violation, 'file'>[] }>;

/** A small tree that breaks every rule once, in each form in which it can be broken, and what must be said of it. */
const PLANTED: Planted = {
  'src/base/index.ts': {
    source: `export { clean } from './clean.ts';`,
  },
  'src/base/clean.ts': {
    // Nothing here counts: comments, strings, templates, regular expressions, members called like globals.
    source: [
      `// import { a } from '../wire/index.ts'; process.env.HOME; throw new Error('x')`,
      `/* import('../agent/index.ts') */`,
      `export const clean = \`import('../agent/index.ts') \${text.replace(/process.env[/'"]/g, '') + \`\${1}\`} fetch(1)\`;`,
      `export const stamp = (clock: Clock) => new Date(clock.now()).toISOString() + clock.performance.now();`,
      `const half = total / 2; const text = "throw new Error()"; // Date.now()`,
    ].join('\n'),
  },
  'src/base/upward.ts': {
    source: `import { run } from '../agent/index.ts';`,
    violations: [{ rule: 'layer', line: 1, detail: 'static import of src/agent/index.ts' }],
  },
  'src/model/index.ts': { source: `export type { Part } from './part.ts';` },
  'src/model/part.ts': { source: 'export type Part = 1;' },
  'src/wire/index.ts': {
    source: `\nexport type { Settings } from '../config/index.ts';`,
    violations: [{ rule: 'layer', line: 2, detail: 'type import of src/config/index.ts' }],
  },
  'src/config/index.ts': { source: `export {} from '../model/index.ts';` },
  'src/session/deep.ts': {
    source: `import type { Part } from '../model/part.ts';`,
    violations: [{ rule: 'entry', line: 1, detail: 'type import of src/model/part.ts' }],
  },
  'src/discovery/index.ts': { source: `import '../config/index.ts';` },
  'src/instructions/index.ts': {
    source: [
      `import type { Found } from '../discovery/index.ts';`,
      `import { type Found as Loaded } from '../discovery/index.ts';`,
    ].join('\n'),
    violations: [{ rule: 'layer', line: 2, detail: 'static import of src/discovery/index.ts' }],
  },
  'src/harness/index.ts': {
    source: `export const load = (name: string) => import(\`./\${name}/index.ts\`);`,
    violations: [{ rule: 'computed-import', line: 1, detail: 'import(…)' }],
  },
  'src/harness/kli/index.ts': {
    source: `import { base } from '../rein/base.ts';\nexport const name = 'kli';`,
    violations: [{ rule: 'separate-folders', line: 1, detail: 'static import of src/harness/rein/base.ts' }],
  },
  'src/harness/rein/base.ts': {
    source: `import { send } from '../../wire/index.ts';`,
    violations: [{ rule: 'layer', line: 1, detail: 'static import of src/wire/index.ts' }],
  },
  'src/tools/contract/index.ts': { source: '' },
  'src/tools/index.ts': { source: `export { read } from './files/read.ts';` },
  'src/tools/files/read.ts': {
    source: `import '../contract/index.ts';\nimport { run } from '../shell/run.ts';`,
    violations: [{ rule: 'separate-folders', line: 2, detail: 'static import of src/tools/shell/run.ts' }],
  },
  'src/tools/shell/run.ts': {
    source: `import { readFile } from 'node:fs/promises';\nimport type { Stats } from 'node:fs';`,
    violations: [{ rule: 'ambient-effect', line: 1, detail: 'node:fs/promises' }],
  },
  'src/host/node/index.ts': { source: `import { spawn } from 'node:child_process';\nexport const now = Date.now();` },
  'src/agent/index.ts': {
    source: [
      `import { createNodeHost } from '../host/node/index.ts';`,
      'export const run = () => Date.now() + Math.random();',
      'const home = process.env.HOME;',
      `const day = new Date();`,
      `if (harness === 'kimi-cli') throw new TypeError('no');`,
      `await fetch(url);`,
    ].join('\n'),
    violations: [
      { rule: 'layer', line: 1, detail: 'static import of src/host/node/index.ts' },
      { rule: 'ambient-effect', line: 2, detail: 'Date.now' },
      { rule: 'ambient-effect', line: 2, detail: 'Math.random' },
      { rule: 'ambient-effect', line: 3, detail: 'process.env' },
      { rule: 'ambient-effect', line: 4, detail: 'new Date()' },
      { rule: 'bare-error', line: 5, detail: 'throw new TypeError' },
      { rule: 'harness-name', line: 5, detail: `'kimi-cli'` },
      { rule: 'ambient-effect', line: 6, detail: 'fetch()' },
    ],
  },
  'src/agent/left.ts': {
    source: `import { right } from './right.ts';`,
    violations: [{ rule: 'cycle', line: 1, detail: 'src/agent/left.ts → src/agent/right.ts → src/agent/left.ts' }],
  },
  'src/agent/right.ts': { source: `export const left = () => import('./left.ts');` },
  'src/agent/types-only.ts': {
    source: `import type { Run } from './left.ts';\nimport { gone } from './gone.ts';`,
    violations: [{ rule: 'missing', line: 2, detail: 'src/agent/gone.ts' }],
  },
  'src/sdk/index.ts': { source: `export * from '../agent/index.ts';` },
  'src/print/index.ts': {
    source: `export * from '../terminal/index.ts';`,
    violations: [{ rule: 'layer', line: 1, detail: 'static import of src/terminal/index.ts' }],
  },
  'src/terminal/index.ts': { source: `export type * from '../model/index.ts';` },
  'src/cli/main.ts': {
    source: [
      `import { parse } from '../print/index.ts';`,
      `const { print } = await import('../print/index.ts');`,
      'process.stdout.write(process.title);',
      `import data from '../../package.json' with { type: 'json' };`,
    ].join('\n'),
    violations: [
      { rule: 'layer', line: 1, detail: 'static import of src/print/index.ts' },
      { rule: 'ambient-effect', line: 3, detail: 'process.title' },
      { rule: 'leaves-src', line: 4, detail: 'static import of package.json' },
    ],
  },
  'src/extras/index.ts': {
    source: `import { clean } from '../base/index.ts';`,
    violations: [{ rule: 'unknown-layer', line: 1, detail: 'static import of src/base/index.ts' }],
  },
  'src/wire/wire.test.ts': {
    source: `import { memory } from '../host/memory/index.ts';\nimport { run } from '../agent/index.ts';\nDate.now();`,
    violations: [{ rule: 'layer', line: 2, detail: 'static import of src/agent/index.ts' }],
  },
  'src/host/memory/index.ts': { source: '' },
  'src/permissions/index.ts': {
    source: `export { judge, RuleError, type Rule, unasked as ignored } from './judge.ts';`,
    violations: [{ rule: 'unused-export', line: 1, detail: 'ignored' }],
  },
  'src/permissions/judge.ts': {
    source: [
      `export type Rule = 1;`,
      `export class RuleError {}`,
      `export async function judge() {}`,
      `export function* unasked() {}`,
      `export const LIMIT = 1;`,
    ].join('\n'),
    violations: [
      { rule: 'unused-export', line: 4, detail: 'unasked' },
      { rule: 'unused-export', line: 5, detail: 'LIMIT' },
    ],
  },
};

/** Beside the tree; what it mentions is used. */
export const PLANTED_USERS: SourceTree = new Map([
  ['scripts/use.mjs', `judge(clean, stamp, run, base, now, load, name, left, right, read);`],
]);

export const PLANTED_TREE: SourceTree = new Map(Object.entries(PLANTED).map(([file, { source }]) => [file, source]));

export const PLANTED_VIOLATIONS: Violation[] = Object.entries(PLANTED).flatMap(([file, { violations = [] }]) =>
  violations.map(({ rule, line, detail }) => ({ rule, file, line, detail })),
);
