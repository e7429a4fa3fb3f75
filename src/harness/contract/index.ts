export type { Expansion, Harness, SourcesRequest } from './harness.ts';
export type { WorldPort } from './world-port.ts';
