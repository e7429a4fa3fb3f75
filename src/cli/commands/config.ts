import { formatDiagnostic, printable } from '../../base/index.ts';
import { agentOptions } from '../agent-options.ts';
import { isGiven } from '../given-options.ts';
import { readableJson } from '../readable-json.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein config [show|path|schema]`: what is in force and why, where it is read from, what may be written there. */
export async function runConfigCommand(call: CommandCall): Promise<number> {
  const [word = 'show'] = call.arguments;
  if (word === 'schema') await showSchema(call);
  else if (word === 'path') await showPaths(call);
  else await showSettings(call);
  return 0;
}

async function showSchema({ stdio }: CommandCall): Promise<void> {
  const { settingsSchema } = await import('../../config/index.ts');
  stdio.output.write(`${JSON.stringify(settingsSchema(), null, 2)}\n`);
}

/** One path a line, the user's file first, whether it exists or not: `$EDITOR $(rein config path)`. */
async function showPaths({ options, stdio }: CommandCall): Promise<void> {
  const { reportSettings } = await import('../../sdk/index.ts');
  const { files } = await reportSettings(agentOptions(options));
  const lines = isGiven(options, 'json') ? [readableJson(files)] : files.map(({ path }) => printable(path, 4096));
  stdio.output.write(`${lines.join('\n')}\n`);
}

async function showSettings({ options, stdio }: CommandCall): Promise<void> {
  const { reportSettings } = await import('../../sdk/index.ts');
  const report = await reportSettings(agentOptions(options));
  if (isGiven(options, 'json')) {
    stdio.output.write(`${readableJson(report)}\n`);
    return;
  }
  const { settingsTable } = await import('../settings-table.ts');
  stdio.output.write(settingsTable(report));
  for (const diagnostic of report.diagnostics) stdio.errors.write(`${formatDiagnostic(diagnostic)}\n`);
}
