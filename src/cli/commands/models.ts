import { printable } from '../../base/index.ts';
import { agentOptions } from '../agent-options.ts';
import { isGiven } from '../given-options.ts';
import { readableJson } from '../readable-json.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein models [SEARCH]`: a name a line, as `--model` takes it. 1 when no server gave a list. */
export async function runModelsCommand({ options, arguments: words, stdio }: CommandCall): Promise<number> {
  const { availableModels } = await import('../../sdk/index.ts');
  const servers = await availableModels(agentOptions(options));
  const search = (words[0] ?? '').toLowerCase();
  const found = servers.map((server) => ({
    ...server,
    models: server.models.filter((name) => name.toLowerCase().includes(search)),
  }));
  if (isGiven(options, 'json')) stdio.output.write(`${readableJson(found)}\n`);
  else for (const name of found.flatMap(({ models }) => models)) stdio.output.write(`${printable(name)}\n`);
  for (const { provider, url, problem } of found) {
    if (problem !== null) stdio.errors.write(`rein: ${provider} (${printable(url)}): ${problem}\n`);
  }
  return servers.every(({ problem }) => problem !== null) ? 1 : 0;
}
