import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compileGlob } from './glob-pattern.ts';

function matching(pattern: string, paths: readonly string[]): string[] {
  const compiled = compileGlob(pattern);
  return paths.filter((path) => compiled?.matches(path) === true);
}

const PATHS = ['a.ts', 'b.js', '.env', 'src/a.ts', 'src/x/a.ts', 'src/x/y/b.tsx', 'src', 'docs/a.md', '[id].tsx'];

test.each<[pattern: string, matched: readonly string[]]>([
  ['*.ts', ['a.ts']],
  ['*', ['a.ts', 'b.js', '.env', 'src', '[id].tsx']],
  ['**', PATHS],
  ['**/*.ts', ['a.ts', 'src/a.ts', 'src/x/a.ts']],
  ['**/*.{ts,tsx}', ['a.ts', 'src/a.ts', 'src/x/a.ts', 'src/x/y/b.tsx', '[id].tsx']],
  ['src/**', ['src/a.ts', 'src/x/a.ts', 'src/x/y/b.tsx']],
  ['src/**/a.ts', ['src/a.ts', 'src/x/a.ts']],
  ['src/*/a.ts', ['src/x/a.ts']],
  ['**/x/**', ['src/x/a.ts', 'src/x/y/b.tsx']],
  ['{src/x,docs}/a.*', ['src/x/a.ts', 'docs/a.md']],
  ['?.[jt]s', ['a.ts', 'b.js']],
  ['[!a].js', ['b.js']],
  ['\\[id\\].tsx', ['[id].tsx']],
  ['[[]id[]].tsx', ['[id].tsx']],
  ['{a.ts', []],
  ['a**.ts', ['a.ts']],
  ['./src/a.ts', ['src/a.ts']],
])('%s', (pattern, matched) => {
  expect(matching(pattern, PATHS)).toEqual(matched);
});

test('a pattern of nothing, of too many alternatives or too long is none', () => {
  expect(['', '{a,b}'.repeat(9), 'a'.repeat(4097)].map(compileGlob)).toEqual([null, null, null]);
});

test('stars over a long name take no time to speak of', () => {
  const started = performance.now();
  expect(matching(`${'*a'.repeat(60)}b`, ['a'.repeat(3000)])).toEqual([]);
  expect(matching(`${'**/a/'.repeat(60)}b`, ['a/'.repeat(800)])).toEqual([]);
  expect(performance.now() - started).toBeLessThan(1000);
});

/** Slow and plain: every way in which a pattern of names could be met. */
function oracle(pattern: readonly string[], names: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return names.length === 0;
  if (first === '**') {
    if (rest.length === 0) return names.length > 0;
    return names.some((_, at) => oracle(rest, names.slice(at)));
  }
  const regex = new RegExp(`^${first.replaceAll('*', '.*').replaceAll('?', '.')}$`, 's');
  return names[0] !== undefined && regex.test(names[0]) && oracle(rest, names.slice(1));
}

test('it matches what trying every way would', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 1, maxLength: 4 });
  const part = fc.oneof(
    fc.constant('**'),
    fc.string({ unit: fc.constantFrom('a', 'b', '*', '?'), minLength: 1, maxLength: 4 }),
  );
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 1, maxLength: 5 }),
      fc.array(name, { minLength: 1, maxLength: 6 }),
      (pattern, names) => {
        expect(compileGlob(pattern.join('/'))?.matches(names.join('/'))).toBe(oracle(pattern, names));
      },
    ),
    { numRuns: 500 },
  );
});
