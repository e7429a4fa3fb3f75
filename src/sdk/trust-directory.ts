import {
  type AgentOptions,
  createNodeHost,
  type HostPorts,
  trustDirectory as trustOnHost,
  type Unconfirmed,
} from '../runtime/index.ts';

/**
 * Trusts what the settings of a directory run or widen, as they are now: a change of those asks again. Returns what was
 * trusted, by file. Throws UsageError where the settings cannot be read.
 */
export function trustDirectory(
  options: AgentOptions = {},
  host: HostPorts = createNodeHost(),
): Promise<readonly Unconfirmed[]> {
  return trustOnHost(options, host);
}
