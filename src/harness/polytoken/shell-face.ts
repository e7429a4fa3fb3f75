import type { ShellArgs, ShellValue, ToolFace } from '../../tools/contract/index.ts';
import { closeLine, makeFace } from '../faces/face.ts';
import { DEFAULT_MS, longestSeconds, runningLines, shellOutput } from '../faces/shell-face.ts';
import shell from './descriptions/shell-exec.md';

/** Why there is no exit code, or why it is not the command's own. */
function endLines(value: ShellValue): string[] {
  const seconds = (value.durationMs / 1000).toFixed(1);
  if (value.timedOut) return [`[timed out after ${seconds} s and was stopped]`];
  if (value.aborted) return ['[stopped by the user]'];
  return value.signal === null ? [] : [`[ended by ${value.signal}]`];
}

/** Executor `shell`. The engine takes both streams together, so there is one `output:`. */
export function shellExecFace(timeoutMs: number = DEFAULT_MS): ToolFace {
  return makeFace<ShellArgs, ShellValue>({
    name: 'shell_exec',
    description: shell,
    executor: 'shell',
    parameters: [
      { name: 'command', type: 'string', required: true, description: 'The command line.' },
      {
        name: 'timeout_seconds',
        type: 'integer',
        minimum: 1,
        description: `Seconds until it is stopped, at most ${longestSeconds(timeoutMs)}. Default: ${timeoutMs / 1000}.`,
      },
    ],
    toArgs(given) {
      const { command, timeout_seconds: seconds } = given as { command: string; timeout_seconds?: number };
      return { args: { command, ...(seconds === undefined ? {} : { timeoutMs: seconds * 1000 }) } };
    },
    toText(value, outcome) {
      const head = `exit_code=${value.exitCode ?? 'none'}\noutput:\n`;
      const shown = shellOutput(value, outcome.spill);
      const notes = [...endLines(value), ...runningLines(value)];
      return `${head}${notes.length === 0 ? shown : closeLine(shown) + notes.join('\n')}`;
    },
  });
}
