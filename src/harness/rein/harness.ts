import type { Harness } from '../contract/index.ts';
import { facetedHarness } from '../faceted/harness.ts';
import { REIN_FORM } from './form.ts';

/** rein: a system prompt that does not change while a facet is in force; instruction files in the history. */
export const reinHarness: Harness = facetedHarness(REIN_FORM);
