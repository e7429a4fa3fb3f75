import { printable } from '../../base/index.ts';
import { agentOptions } from '../agent-options.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein trust`: says yes to what the settings here run or widen, as they are now. Prints what that is. */
export async function runTrustCommand({ options, stdio }: CommandCall): Promise<number> {
  const { trustDirectory } = await import('../../sdk/index.ts');
  const trusted = await trustDirectory(agentOptions(options));
  for (const { path, keys } of trusted) {
    stdio.output.write(`trusted ${printable(path, 4096)}: ${keys.join(', ')}\n`);
  }
  if (trusted.length === 0) stdio.output.write('nothing here needs to be trusted\n');
  return 0;
}
