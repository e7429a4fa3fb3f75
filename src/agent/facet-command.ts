import { nearest } from '../base/index.ts';
import type { FacetList } from '../harness/contract/index.ts';
import { lookAround } from './begin-turn.ts';
import { CommandError } from './error.ts';
import type { AgentParts } from './parts.ts';
import { withRunChoices } from './run-choices.ts';

/** Facets that a message lists. */
const MAX_LISTED = 40;

/**
 * Puts another facet in force, from the next request on; nothing is written where it is in force already. Returns its
 * name and colours. Throws CommandError facet/none, facet/unknown.
 */
export async function changeFacet(parts: AgentParts, to: string): Promise<Record<string, unknown>> {
  const { harness, log } = parts;
  if (harness.facets === undefined) {
    throw new CommandError('facet/none', `harness "${harness.name}" has no facets`);
  }
  const session = withRunChoices(parts, log.state());
  const world = await lookAround(parts, session, 'turn');
  const list = harness.facets({ world, session, settings: parts.settings(harness.name) });
  const facet = list.facets.find(({ name }) => name === to);
  if (facet === undefined) throw unknownFacet(to, list, harness.name);
  const answer = { facet: to, colours: facet.colours };
  // The facet that the run was told to start with is not written yet: it is due with the first prompt.
  if (list.active === to) return answer;
  log.append({ type: 'facet', from: list.active, to, by: 'user' });
  parts.facet = null;
  return answer;
}

function unknownFacet(to: string, { facets }: FacetList, harness: string): CommandError {
  const names = facets.map(({ name }) => name);
  const near = nearest(to, names);
  const more = names.length > MAX_LISTED ? `, and ${names.length - MAX_LISTED} more` : '';
  const hint = near === undefined ? '' : `did you mean "${near}"? `;
  return new CommandError(
    'facet/unknown',
    `harness "${harness}" has no facet ${JSON.stringify(to.slice(0, 100))}: ${hint}it has: ${names.slice(0, MAX_LISTED).join(', ')}${more}`,
    { data: { facet: to.slice(0, 100), facets: names.slice(0, MAX_LISTED), nearest: near ?? null } },
  );
}
