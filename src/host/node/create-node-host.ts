import type { HostPorts } from '../index.ts';
import { createNodeClock } from './node-clock.ts';
import { createNodeEnv } from './node-env.ts';
import { createNodeFiles } from './node-files.ts';
import { createNodeHttp } from './node-http.ts';
import { createNodeProcess } from './node-process.ts';
import { createNodeRandom } from './node-random.ts';
import { createNodeRegex } from './node-regex.ts';
import { createNodeTemplates } from './node-templates.ts';

/** This machine. What is slow to load (HTTP, child processes) is loaded when it is first used. */
export function createNodeHost(): HostPorts {
  const env = createNodeEnv();
  return {
    files: createNodeFiles(),
    process: createNodeProcess(),
    clock: createNodeClock(),
    env,
    http: createNodeHttp(env),
    random: createNodeRandom(),
    regex: createNodeRegex(),
    templates: createNodeTemplates(),
  };
}
