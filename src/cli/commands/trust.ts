import { printable } from '../../base/index.ts';
import { agentOptions } from '../agent-options.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein trust`: says yes to this project, and to what its settings run or widen as they are now. Prints what that is. */
export async function runTrustCommand({ options, stdio }: CommandCall): Promise<number> {
  const { trustDirectory } = await import('../../sdk/index.ts');
  const trusted = await trustDirectory(agentOptions(options));
  for (const { path, keys } of trusted) {
    const what = keys.length === 0 ? 'no setting of it runs or widens anything' : keys.join(', ');
    stdio.output.write(`trusted ${printable(path, 4096)}: ${what}\n`);
  }
  return 0;
}
