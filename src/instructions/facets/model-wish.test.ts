import { describe, expect, test } from 'vitest';
import { facetFile } from '../../../test/rig/definition-file.ts';
import type { FacetKeys } from './facet.ts';
import { modelWish } from './model-wish.ts';
import { readFacetKeys } from './read-facet-keys.ts';
import { checkFacet } from './read-facets.ts';

const RULES = { productKeys: ['rein'], knownTools: ['read'] };
const { keys: NONE } = readFacetKeys({ key: null, value: undefined }, { path: '', position: () => ({}) });

function withKeys(keys: Partial<FacetKeys>): { keys: FacetKeys } {
  return { keys: { ...NONE, ...keys } };
}

describe('modelWish', () => {
  test.each<[Partial<FacetKeys>, ReturnType<typeof modelWish>]>([
    [{}, null],
    [{ fallbackModels: ['a'] }, null],
    [{ model: 'a' }, { names: ['a'], effort: null }],
    [
      { model: 'a (high)', fallbackModels: ['b'] },
      { names: ['a', 'b'], effort: 'high' },
    ],
    [{ model: 'm(2024)' }, { names: ['m(2024)'], effort: null }],
    [{ model: '(high)' }, { names: ['(high)'], effort: null }],
    [{ model: 'default_model:full(low)' }, { names: [], effort: 'low' }],
    [
      { model: 'a', fallbackModels: ['default_model:mini', 'b'] },
      { names: ['a'], effort: null },
    ],
    [
      { model: '@mg:fast', fallbackModels: ['default_model:tiny', 'b'] },
      { names: ['b'], effort: null },
    ],
    [{ model: '@mg:fast' }, { names: [], effort: null }],
  ])('%j asks for %j', (keys, expected) => {
    expect(modelWish(withKeys(keys))).toEqual(expected);
  });

  test('small sizes are the model for light work where there is one, and something may stand in for it', () => {
    const mini = {
      model: 'default_model:mini(low)',
      fallbackModels: ['default_model:nano', 'a', 'default_model:full'],
    };
    expect([modelWish(withKeys(mini)), modelWish(withKeys(mini), 'p/small')]).toEqual([
      { names: [], effort: 'low' },
      { names: ['p/small', 'a'], effort: 'low' },
    ]);
  });

  test('what it cannot have is told of when the facet is read', () => {
    const head = `name: a
rein:
  model: a(high)
  fallback_models: ['@mg:fast', 'default_model:nano', 'default_model:tiny', 'b(low)', 'c(high)']`;
    expect(checkFacet(facetFile('/f/a.md', head), RULES)).toEqual(
      [
        ['this version has no model groups; "@mg:fast" is passed over', 22],
        ['"default_model:tiny": the sizes are full, mini, nano; it is passed over', 56],
        ['the effort of the first model holds; that of "b(low)" does not', 78],
      ].map(([note, column]) => ({
        severity: 'warning',
        code: 'facets/model',
        message: `fallback_models: ${note}`,
        path: '/f/a.md',
        line: 5,
        column,
      })),
    );
  });
});
