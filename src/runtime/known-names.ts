import { HARNESS_CATALOGUE } from '../harness/index.ts';

export { HARNESS_CATALOGUE, type HarnessEntry } from '../harness/index.ts';

import { PROVIDER_NAMES } from '../wire/index.ts';

/** The harnesses that can be chosen, as `--harness` takes them. */
export const HARNESSES: readonly string[] = HARNESS_CATALOGUE.filter(({ status }) => status === 'built').map(
  ({ name }) => name,
);

/** The providers that are known by name, as `--model PROVIDER/MODEL` takes them. */
export const PROVIDERS: readonly string[] = PROVIDER_NAMES;
