import { agentOptions } from '../agent-options.ts';
import { isGiven } from '../given-options.ts';
import { outputWidth } from '../output-width.ts';
import { readableJson } from '../readable-json.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein doctor`: 1 when something keeps a run from working. */
export async function runDoctorCommand({ options, stdio }: CommandCall): Promise<number> {
  const { createNodeHost, diagnoseMachine } = await import('../../sdk/index.ts');
  const host = createNodeHost();
  const report = await diagnoseMachine({ ...agentOptions(options), online: isGiven(options, 'online') }, host);
  if (isGiven(options, 'json')) stdio.output.write(`${readableJson(report)}\n`);
  else {
    const { doctorTable } = await import('../doctor-table.ts');
    stdio.output.write(doctorTable(report, outputWidth(stdio, host.env)));
  }
  return report.ok ? 0 : 1;
}
