import { printable } from '../../base/index.ts';
import type { StartingFile } from '../../sdk/index.ts';
import { agentOptions } from '../agent-options.ts';
import { isGiven } from '../given-options.ts';
import type { CommandCall } from '../run-command-line.ts';

const WORDS = {
  written: 'written',
  there: 'is there already, left as it is',
  elsewhere: 'not written: a link leads out of the project',
  failed: 'not written',
} as const;

/** `rein init [--user]`: a first set of instruction files, each explained in itself. Overwrites nothing. 1: one is missing. */
export async function runInitCommand({ options, stdio }: CommandCall): Promise<number> {
  const { writeStartingSet } = await import('../../sdk/index.ts');
  const files = await writeStartingSet({ ...agentOptions(options), user: isGiven(options, 'user') });
  for (const file of files) {
    stdio.output.write(`${printable(file.path, 4096)}: ${WORDS[file.outcome]}${detailOf(file)}\n`);
  }
  return files.every(({ outcome }) => outcome === 'written' || outcome === 'there') ? 0 : 1;
}

function detailOf(file: StartingFile): string {
  if (file.outcome === 'failed') return `: ${printable(file.why, 4096)}`;
  return file.outcome === 'written' ? ` (${file.about})` : '';
}
