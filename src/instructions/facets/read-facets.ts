import type { Diagnostic } from '../../base/index.ts';
import type { FoundFile } from '../../model/index.ts';
import type { FacetRules, ShippedDefinition } from './definition.ts';
import type { Facet, FacetKeys } from './facet.ts';
import { checkDefinition, type DefinitionReader, readDefinitions } from './read-definitions.ts';
import { FACET_KEYS, FACET_WORDS, readFacetKeys } from './read-facet-keys.ts';

const FACETS: DefinitionReader<FacetKeys> = {
  words: FACET_WORDS,
  known: FACET_KEYS,
  described: false,
  keys: readFacetKeys,
};

/** The facets there are, by name. `files`: the nearest scope first. */
export function readFacets(
  files: readonly FoundFile[],
  shipped: readonly ShippedDefinition[],
  rules: FacetRules,
): { facets: Facet[]; diagnostics: Diagnostic[] } {
  const { definitions, diagnostics } = readDefinitions(files, shipped, rules, FACETS);
  return { facets: definitions, diagnostics };
}

/** All that is to be said of one file by itself. */
export function checkFacet(file: FoundFile, rules: FacetRules): Diagnostic[] {
  return checkDefinition(file, rules, FACETS);
}
