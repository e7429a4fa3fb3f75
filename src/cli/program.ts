import type { Stdio } from '../print/index.ts';
import { type Runnable, runCommandLine as runWith } from './run-command-line.ts';

/**
 * `rein -p` and `rein`: everything behind the entry's door that a run needs, bundled into one file that is loaded with
 * its compiled code. The other commands are in a file of their own: see `load-program.ts` and
 * docs/decisions/0012-several-bundles.md.
 */
export function runCommandLine(line: Runnable, stdio?: Stdio): Promise<number> {
  return runWith(line, async () => (await import('./commands/print.ts')).runPrintCommand, stdio);
}

export { readCommandLine } from './command-line.ts';
