import { HARNESS_CATALOGUE } from '../../sdk/index.ts';
import { isGiven } from '../given-options.ts';
import { readableJson } from '../readable-json.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein harnesses`: those that can be chosen with what each does, a line each; then the names of others. */
export async function runHarnessesCommand({ options, stdio }: CommandCall): Promise<number> {
  if (isGiven(options, 'json')) {
    stdio.output.write(`${readableJson(HARNESS_CATALOGUE)}\n`);
    return 0;
  }
  const built = HARNESS_CATALOGUE.filter(({ status }) => status === 'built');
  const width = Math.max(...built.map(({ name }) => name.length));
  for (const { name, summary } of built) stdio.output.write(`${name.padEnd(width)}  ${summary}\n`);
  // A word on one of them stands behind its name.
  const others = HARNESS_CATALOGUE.filter(({ status }) => status === 'elsewhere').map(({ name, summary }) =>
    summary === 'known from other programs' ? name : `${name} (${summary})`,
  );
  stdio.output.write(`not in this program, known from others: ${others.join(', ')}\n`);
  return 0;
}
