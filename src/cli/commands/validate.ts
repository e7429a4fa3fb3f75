import { formatDiagnostic, printable, UsageError } from '../../base/index.ts';
import { agentOptions } from '../agent-options.ts';
import { isGiven } from '../given-options.ts';
import { readableJson } from '../readable-json.ts';
import type { CommandCall } from '../run-command-line.ts';

const KINDS = ['facet', 'subagent', 'skill'] as const;

/** `rein validate KIND FILE`: a fault a line, as `path:line:column: severity: message`. 1 where one is an error. */
export async function runValidateCommand({ options, arguments: words, stdio }: CommandCall): Promise<number> {
  const [word, file] = words;
  const kind = KINDS.find((one) => one === word);
  if (kind === undefined || file === undefined) {
    throw new UsageError(
      'usage/incomplete',
      'say what it is, and the file: rein validate facet | subagent | skill FILE',
    );
  }
  const { validateDefinition } = await import('../../sdk/index.ts');
  const validation = await validateDefinition(kind, file, agentOptions(options));
  const { ok, path, diagnostics } = validation;
  if (isGiven(options, 'json')) stdio.output.write(`${readableJson(validation)}\n`);
  else if (diagnostics.length === 0) stdio.output.write(`${printable(path, 4096)}: no faults found\n`);
  else for (const diagnostic of diagnostics) stdio.output.write(`${formatDiagnostic(diagnostic)}\n`);
  return ok ? 0 : 1;
}
