import { compareCodePoints, nearest } from '../../base/index.ts';
import { listedNames, shownName } from './definition-name.ts';
import type { Facet } from './facet.ts';

/** One line that says that there is no such facet, which is near, and which there are. */
export function unknownFacet(name: string, facets: readonly Pick<Facet, 'name'>[]): string {
  const names = facets.map((facet) => facet.name).sort(compareCodePoints);
  const near = nearest(name, names);
  const hint = near === undefined ? '' : `did you mean ${shownName(near)}? `;
  const all = names.length === 0 ? 'there are none' : `there are: ${listedNames(names)}`;
  return `there is no facet ${shownName(name)}; ${hint}${all}`;
}

/**
 * Whether the model may go from one facet to another. A facet without `facet_transitions` lets it go anywhere; one
 * with it only where it says so.
 */
export function transition(from: Pick<Facet, 'keys'>, to: string): 'allowed' | { condition: string } | 'denied' {
  const { facetTransitions } = from.keys;
  if (facetTransitions === null) return 'allowed';
  const rules = Object.hasOwn(facetTransitions, to) ? facetTransitions[to] : undefined;
  if (rules === undefined || !rules.allowed) return 'denied';
  return rules.condition === null ? 'allowed' : { condition: rules.condition };
}
