import type { ToolFace } from '../../tools/contract/index.ts';
import { HARNESS_EXECUTOR } from '../contract/index.ts';
import { grouped, makeFace } from './face.ts';

/** More names than a model chooses from. */
const MOST_NAMED = 40;

export type FacetWords = { name: string; description: string; names: readonly string[] };

function withNames(description: string, names: readonly string[]): string {
  if (names.length === 0) return description;
  const more = names.length > MOST_NAMED ? ` and ${grouped(names.length - MOST_NAMED)} more` : '';
  return `${description.trimEnd()} Facets: ${names.slice(0, MOST_NAMED).join(', ')}${more}.`;
}

/** Switches the facet: the harness answers. */
export function facetFace({ name, description, names }: FacetWords): ToolFace {
  return makeFace<{ facet: string }, string>({
    name,
    description: withNames(description, names),
    executor: HARNESS_EXECUTOR,
    parameters: [{ name: 'facet', type: 'string', required: true, description: 'The name of the facet.' }],
    toArgs: (given) => ({ args: { facet: (given as { facet: string }).facet } }),
    toText: (text) => text,
  });
}
