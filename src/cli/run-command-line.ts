import { messageOf, ReinError, screenText, UsageError } from '../base/index.ts';
import type { Stdio } from '../print/index.ts';
import type { CommandLine, CommandRunLine } from './command-line.ts';
import { openStdio } from './stdio.ts';

/** One call of one command: what was given, and the process's streams. Returns the exit code; throws ReinError. */
export type CommandCall = Omit<CommandRunLine, 'type' | 'command'> & { stdio: Stdio };
export type CommandRun = (call: CommandCall) => Promise<number>;

/** What comes to running something, or to saying why not. */
export type Runnable = Extract<CommandLine, { type: 'run' | 'mistake' }>;

/**
 * The exit code, when all output was taken. `load`: the command of that name, `''` for none. Errors become one line on
 * stderr: 2 for the caller's mistakes, else 1.
 */
export async function runCommandLine(
  line: Runnable,
  load: (command: string) => Promise<CommandRun>,
  stdio: Stdio = openStdio(),
): Promise<number> {
  let code: number;
  try {
    code = await run(line, load, stdio);
  } catch (error) {
    stdio.errors.write(`rein: ${errorLine(error)}\n`);
    code = UsageError.isInstance(error) ? 2 : 1;
  }
  await stdio.drained();
  const unwritten = stdio.outputFailure();
  if (unwritten === null) return code;
  stdio.errors.write(`rein: cannot write to stdout: ${unwritten}\n`);
  await stdio.drained();
  return code === 0 ? 1 : code;
}

function errorLine(error: unknown): string {
  const message = messageOf(error);
  return screenText(ReinError.isInstance(error) ? message : `internal error: ${message}`);
}

async function run(line: Runnable, load: (command: string) => Promise<CommandRun>, stdio: Stdio): Promise<number> {
  if (line.type === 'mistake') {
    const { mistakeMessage } = await import('./mistake-message.ts');
    throw new UsageError(`usage/${line.mistake.type}`, mistakeMessage(line.mistake));
  }
  const command = await load(line.command.name);
  const { options, arguments: words, commands } = line;
  return await command({ options, arguments: words, commands, stdio });
}
