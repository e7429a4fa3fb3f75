export { createNodeHost } from './create-node-host.ts';
