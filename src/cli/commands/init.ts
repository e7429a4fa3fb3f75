import { printable } from '../../base/index.ts';
import { agentOptions } from '../agent-options.ts';
import { isGiven } from '../given-options.ts';
import type { CommandCall } from '../run-command-line.ts';

const WORDS = {
  written: 'written',
  there: 'is there already, left as it is',
  elsewhere: 'not written: a link leads out of the project',
} as const;

/** `rein init [--user]`: a first set of instruction files, each explained in itself. Overwrites nothing. */
export async function runInitCommand({ options, stdio }: CommandCall): Promise<number> {
  const { writeStartingSet } = await import('../../sdk/index.ts');
  const files = await writeStartingSet({ ...agentOptions(options), user: isGiven(options, 'user') });
  for (const { path, outcome, about } of files) {
    stdio.output.write(`${printable(path, 4096)}: ${WORDS[outcome]}${outcome === 'written' ? ` (${about})` : ''}\n`);
  }
  return 0;
}
