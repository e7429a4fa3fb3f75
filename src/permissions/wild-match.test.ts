import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { matchesPath, readPathPattern } from './path-pattern.ts';
import { matchWild, readWild } from './wild-match.ts';

describe('a pattern of text', () => {
  test('takes any text for a star and every other character for itself', () => {
    const how = (pattern: string, text: string) => matchWild(readWild(pattern), [text]);
    expect([
      how('a*c', 'abbc'),
      how('a*c', 'ac'),
      how('a*c', 'acb'),
      how('a\\*', 'a*'),
      how('a\\*', 'ab'),
      how('', ''),
    ]).toEqual(['always', 'always', 'never', 'always', 'never', 'always']);
  });

  test('over texts that are partly unknown says always, maybe or never', () => {
    const how = (pattern: string, ...text: (string | null)[]) => matchWild(readWild(pattern), text);
    expect([
      how('git *', 'git ', null),
      how('git push*', 'git ', null),
      how('git push*', 'git push ', null),
      how('git push', 'git push', null),
      how('rm', null),
      how('rm*', 'git', null),
      how('a*b', null, 'b'),
    ]).toEqual(['always', 'maybe', 'always', 'maybe', 'maybe', 'never', 'maybe']);
  });

  test('agrees with the regular expression of the same meaning', () => {
    const unit = fc.constantFrom('a', 'b', '*', '.');
    fc.assert(
      fc.property(
        fc.string({ unit, maxLength: 8 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 10 }),
        (pattern, text) => {
          const expected = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`).test(text);
          expect(matchWild(readWild(pattern), [text])).toBe(expected ? 'always' : 'never');
        },
      ),
    );
  });

  test('is surely matched only where each value of the unknown part is', () => {
    const unit = fc.constantFrom('a', 'b', '*');
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 4 });
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 6 }), text, text, text, (pattern, before, unknown, after) => {
        const wild = readWild(pattern);
        const how = matchWild(wild, [before, null, after]);
        const known = matchWild(wild, [before, unknown, after]);
        if (how === 'always') expect(known).toBe('always');
        if (how === 'never') expect(known).toBe('never');
      }),
      { numRuns: 500 },
    );
  });
});

describe('a pattern of paths', () => {
  const base = { cwd: '/w', home: '/home/u' };
  const matches = (pattern: string, path: string): boolean => matchesPath(readPathPattern(pattern, base), path);

  test('starts at the working directory, the home or the root', () => {
    expect([
      matches('a', '/w/a'),
      matches('./a', '/w/a'),
      matches('~/a', '/home/u/a'),
      matches('/a', '/a'),
      matches('a', '/a'),
    ]).toEqual([true, true, true, true, false]);
  });

  test('keeps a star within a name, and two stars to directories', () => {
    expect({
      name: [
        matches('*.js', '/w/a.js'),
        matches('*.js', '/w/b/a.js'),
        matches('src/*', '/w/src/a'),
        matches('src/*', '/w/src/a/b'),
      ],
      deep: [
        matches('**/*.js', '/w/a.js'),
        matches('**/*.js', '/w/b/c/a.js'),
        matches('src/**', '/w/src/a/b'),
        matches('**', '/w'),
      ],
      middle: [matches('a/**/z', '/w/a/z'), matches('a/**/z', '/w/a/b/c/z'), matches('a/**/z', '/w/b/z')],
    }).toEqual({
      name: [true, false, true, false],
      deep: [true, true, true, true],
      middle: [true, true, false],
    });
  });

  test('that ends in a fixed name covers what lies below', () => {
    expect([
      matches('docs', '/w/docs/a/b'),
      matches('/', '/etc'),
      matches('docs/*', '/w/docs/a/b'),
      matches('doc', '/w/docs'),
    ]).toEqual([true, true, false, false]);
  });
});
