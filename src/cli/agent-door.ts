/** What a run needs of the SDK, and no more: by these names the bundler leaves out what only other commands use. */
export { createAgent, createNodeHost } from '../sdk/index.ts';
