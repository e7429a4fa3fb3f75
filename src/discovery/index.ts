export { type Decoded, type DecodeMode, decode, type Encoding } from './decode.ts';
export { createDiscovery, type Discovery, type DiscoveryOptions } from './discovery.ts';
export { findProjectRoot, type ProjectRoot } from './project-root.ts';
