import { DEFAULT_HARNESS, findHarness } from '../../harness/index.ts';
import type { HostPorts } from '../../host/index.ts';
import { locate } from '../locate.ts';
import type { AgentOptions } from '../options.ts';
import { readConfig } from '../read-config.ts';

/** The texts that a harness ships for people to read and copy, by URI. */
export type ShippedTexts = { harness: string; texts: Readonly<Record<string, string>> };

/** Those of the harness that these options choose. Throws UsageError for the options. */
export async function shippedTexts(options: AgentOptions, host: HostPorts): Promise<ShippedTexts> {
  const { settings } = await readConfig(options, host, await locate(host, options.cwd));
  const { name, resources = {} } = await findHarness(settings.harness ?? DEFAULT_HARNESS);
  return { harness: name, texts: resources };
}
