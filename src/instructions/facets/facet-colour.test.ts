import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FacetKeys } from './facet.ts';
import { facetColour } from './facet-colour.ts';
import { readFacetKeys } from './read-facet-keys.ts';

const { keys: NONE } = readFacetKeys({ key: null, value: undefined }, { path: '', position: () => ({}) });

function withKeys(keys: Partial<FacetKeys>): { name: string; keys: FacetKeys } {
  return { name: 'a', keys: { ...NONE, ...keys } };
}

describe('facetColour', () => {
  test('is the facet’s own for the background, then for both', () => {
    const own = withKeys({ color: '#111111', colorDark: '#222222' });
    expect([facetColour(own, 'light'), facetColour(own, 'dark')]).toEqual(['#111111', '#222222']);
  });

  test('otherwise always follows from the name', () => {
    const colours = ['plan', 'scribe'].map((name) => {
      const facet = { ...withKeys({}), name };
      return [facetColour(facet, 'light'), facetColour(facet, 'dark')];
    });
    expect(colours).toMatchInlineSnapshot(`
      [
        [
          "#5e2dd2",
          "#a589e6",
        ],
        [
          "#a85f24",
          "#d88846",
        ],
      ]
    `);
  });

  test('can be read on its background whatever the name', () => {
    const light = (colour: string): number => {
      const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
        const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
        return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (name) => {
        const facet = { ...withKeys({}), name };
        expect(1.05 / (light(facetColour(facet, 'light')) + 0.05)).toBeGreaterThanOrEqual(4.5);
        expect((light(facetColour(facet, 'dark')) + 0.05) / 0.08).toBeGreaterThanOrEqual(4.5);
      }),
    );
  });
});
