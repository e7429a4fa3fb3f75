export { DEFAULT_HARNESS, findHarness, HARNESS_CATALOGUE, type HarnessEntry } from './registry.ts';
