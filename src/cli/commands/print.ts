import { UsageError } from '../../base/index.ts';
import type { PrintJob, Stdio } from '../../print/index.ts';
import { agentOptions } from '../agent-options.ts';
import { isGiven, lastValue } from '../given-options.ts';
import { almostCommand } from '../mistake-message.ts';
import type { CommandCall } from '../run-command-line.ts';

/** `rein -p`, and `rein` where there is no terminal to draw on. */
export async function runPrintCommand(call: CommandCall): Promise<number> {
  const job = printJob(call);
  const [{ runPrint }, { createAgent, createNodeHost }] = await Promise.all([
    import('../../print/index.ts'),
    import('../agent-door.ts'),
  ]);
  const { clock } = createNodeHost();
  return await runPrint(job, { stdio: call.stdio, createAgent, wait: (ms) => clock.sleep(ms) });
}

/** Throws UsageError. */
export function printJob({ options, arguments: words, commands, stdio }: CommandCall): PrintJob {
  const argument = words[0] ?? null;
  if (!isGiven(options, 'print')) checkImplied(argument, commands, stdio);
  const input = lastValue(options, 'input') ?? 'text';
  const output = lastValue(options, 'output') ?? (input === 'text' ? 'text' : 'stream-json');
  if (input === 'stream-json' && output !== 'stream-json') {
    throw new UsageError('usage/conflict', `--input stream-json answers with --output stream-json, not ${output}`);
  }
  if (input === 'stream-json' && argument !== null) {
    const hint = 'send {"type":"prompt","text":"…"} on stdin instead';
    throw new UsageError('usage/conflict', `--input stream-json takes no PROMPT: ${hint}`);
  }
  return {
    output: output as PrintJob['output'],
    input: input === 'text' ? { type: 'prompt', argument } : { type: 'commands' },
    options: agentOptions(options),
  };
}

/** Without -p: a mistyped command is told, and a terminal would get the screen that this version does not have. */
function checkImplied(argument: string | null, commands: readonly string[], { input, output }: Stdio): void {
  const almost = argument === null ? null : almostCommand(argument, commands);
  if (almost !== null) throw new UsageError('usage/unknown-command', almost);
  if (input.isTerminal && output.isTerminal) {
    const message = 'the interactive terminal is not in this version yet; run one prompt with: rein -p "PROMPT"';
    throw new UsageError('usage/no-terminal-yet', message);
  }
}
