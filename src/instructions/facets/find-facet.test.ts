import { describe, expect, test } from 'vitest';
import { facetFile } from '../../../test/rig/definition-file.ts';
import type { FacetKeys } from './facet.ts';
import { transition, unknownFacet } from './find-facet.ts';
import { readFacetKeys } from './read-facet-keys.ts';
import { readFacets } from './read-facets.ts';

const RULES = { productKeys: ['rein'], knownTools: ['read'] };
const { keys: NONE } = readFacetKeys({ key: null, value: undefined }, { path: '', position: () => ({}) });

function withKeys(keys: Partial<FacetKeys>): { keys: FacetKeys } {
  return { keys: { ...NONE, ...keys } };
}

describe('transition', () => {
  const some = withKeys({
    facetTransitions: {
      b: { allowed: true, condition: null },
      c: { allowed: true, condition: 'Done?' },
      d: { allowed: false, condition: 'Done?' },
    },
  });

  test('goes anywhere without a map, and with one only where it says so', () => {
    expect(transition(withKeys({}), 'b')).toBe('allowed');
    expect(['b', 'c', 'd', 'e', 'toString'].map((to) => transition(some, to))).toEqual([
      'allowed',
      { condition: 'Done?' },
      'denied',
      'denied',
      'denied',
    ]);
  });
});

describe('unknownFacet', () => {
  const { facets } = readFacets(
    [facetFile('/f/plan.md', 'name: plan'), facetFile('/f/run.md', 'name: run')],
    [],
    RULES,
  );

  test('an unknown one is answered with the nearest and with all', () => {
    expect(unknownFacet('plam', facets)).toBe('there is no facet "plam"; did you mean "plan"? there are: plan, run');
    expect(unknownFacet('x\n', [])).toBe('there is no facet "x\\n"; there are none');
  });
});
