export type { Expansion, Harness, SourcesRequest } from './harness.ts';
export type { Look, WorldPort } from './world-port.ts';
