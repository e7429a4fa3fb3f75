import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { HostPorts } from '../../host/index.ts';
import { createNodeHost } from '../../host/node/index.ts';
import type { GlobArgs, GrepArgs, ToolContext } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { glob } from './glob.ts';
import { grep } from './grep.ts';

const host = createNodeHost();
const withoutRipgrep: HostPorts = { ...host, process: { ...host.process, packaged: async () => null } };
let root = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'rein-search-')));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

type Entry = { path: string; text: string } | { path: string; link: string };
type Tree = { repository: boolean; entries: readonly Entry[] };

const name = fc.constantFrom('a', 'b', 'c.ts', 'd.log', '.hidden', 'node_modules', 'é', '.gitignore', 'x y');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));
const line = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '1', '\r'), maxLength: 8 });
const content = fc.oneof(
  { weight: 6, arbitrary: fc.array(line, { maxLength: 6 }).map((lines) => lines.join('\n')) },
  { weight: 1, arbitrary: fc.constant('ab\0ab\n') },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.nat(700), fc.nat(700)).map(([m, n]) => `${'x'.repeat(m)}ab${'é'.repeat(n)}ab\n`),
  },
);
const rule = fc.constantFrom(
  'a',
  '/a',
  'b/',
  '*.log',
  '!d.log',
  '!b',
  'a/b',
  '**/c.ts',
  'a/**',
  'node_modules/',
  '.*',
  '!.gitignore',
  '# a',
  '',
  'x\\ y',
  'd.log  ',
  '[ab]',
  '/*',
  '!/a/',
);
const rules = fc.array(rule, { maxLength: 4 }).map((lines) => `${lines.join('\n')}\n`);
const entry: fc.Arbitrary<Entry> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ path, text: content }) },
  { weight: 3, arbitrary: fc.tuple(path, rules).map(([at, text]) => ({ path: `${at}/.gitignore`, text })) },
  { weight: 2, arbitrary: rules.map((text) => ({ path: '.gitignore', text })) },
  { weight: 1, arbitrary: path.map((at) => ({ path: `${at}/.git/x`, text: 'ab\n' })) },
  { weight: 1, arbitrary: fc.record({ path, link: fc.constantFrom('a', '..', 'nowhere') }) },
);
const tree: fc.Arbitrary<Tree> = fc.record({ repository: fc.boolean(), entries: fc.array(entry, { maxLength: 14 }) });

/** What stands in the way of an earlier entry is left out. */
function plant({ repository, entries }: Tree): string {
  const directory = mkdtempSync(join(root, 't'));
  if (repository) mkdirSync(join(directory, '.git'));
  for (const one of entries) {
    const at = join(directory, one.path);
    try {
      mkdirSync(dirname(at), { recursive: true });
      if ('link' in one) symlinkSync(one.link, at);
      else writeFileSync(at, one.text);
    } catch {}
  }
  return directory;
}

function contexts(cwd: string): [ToolContext, ToolContext] {
  return [testContext(host, { cwd }), testContext(withoutRipgrep, { cwd })];
}

const anyGlob: fc.Arbitrary<GlobArgs> = fc.record(
  {
    pattern: fc.constantFrom('**', '*', '**/*.ts', 'a/**', '**/a/*', '**/{a,b}', '*/*', 'a', '**/.*', 'a/../b/*'),
    ignored: fc.constant(true),
    limit: fc.integer({ min: 1, max: 5 }),
    fromPath: fc.constant(true as const),
  },
  { requiredKeys: ['pattern'] },
);

test('listing with ripgrep and without it give the same', async () => {
  await fc.assert(
    fc.asyncProperty(tree, anyGlob, async (planted, args) => {
      const cwd = plant(planted);
      const [quick, plain] = contexts(cwd);
      expect(await glob(args, plain)).toEqual(await glob(args, quick));
      rmSync(cwd, { recursive: true });
    }),
    { numRuns: 40 },
  );
}, 60_000);

const anyGrep: fc.Arbitrary<GrepArgs> = fc.record(
  {
    pattern: fc.constantFrom('a', 'ab', 'b$', '^a', 'A', 'a.b', '[^a]b', 'é', '1|b', 'a\\nb', 'a\\s+b', 'nothing'),
    path: fc.constantFrom('.', 'a', 'a/b', 'a/c.ts', 'node_modules'),
    glob: fc.constantFrom('*.ts', 'a', '*.{ts,log}', 'a/**', '**/b/*', '*', '!*.ts', '!a/**'),
    type: fc.constantFrom('ts', 'js', 'toml'),
    exclude: fc.constantFrom(['a'], ['node_modules', 'c.ts']),
    newestFirst: fc.constant(true as const),
    ignoreCase: fc.constant(true as const),
    before: fc.nat(2),
    after: fc.nat(2),
    mode: fc.constantFrom('content' as const, 'files' as const, 'count' as const),
    limit: fc.integer({ min: 1, max: 6 }),
    multiline: fc.constant(true as const),
    ignored: fc.constant(true as const),
    lineLength: fc.constant(40),
  },
  { requiredKeys: ['pattern'] },
);

test('searching with ripgrep and without it give the same', async () => {
  await fc.assert(
    fc.asyncProperty(tree, anyGrep, async (planted, given) => {
      // A pattern with a line end is one for several lines.
      const args: GrepArgs = given.pattern.includes('\\n') ? { ...given, multiline: true } : given;
      const returns = planted.entries.some((one) => 'text' in one && one.text.includes('\r'));
      // Over several lines JavaScript takes a lone carriage return for a line end.
      fc.pre(!(args.multiline === true && returns && /[$^.]/.test(args.pattern)));
      const cwd = plant(planted);
      const [quick, plain] = contexts(cwd);
      expect(await grep(args, plain)).toEqual(await grep(args, quick));
      rmSync(cwd, { recursive: true });
    }),
    { numRuns: 60 },
  );
}, 60_000);
