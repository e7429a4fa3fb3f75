import type { Harness } from '../contract/index.ts';
import { facetedHarness } from '../faceted/harness.ts';
import { POLYTOKEN_FORM } from './form.ts';

/** polytoken: the facet in the system prompt, all else in the history (seed 004). */
export const polytokenHarness: Harness = facetedHarness(POLYTOKEN_FORM);
