import type { ToolFailure } from '../../model/index.ts';
import type { ShellArgs, ShellValue, StartArgs, StartValue, ToolFace } from '../../tools/contract/index.ts';
import type { Parameter } from './arguments.ts';
import { closeLine, grouped, makeFace } from './face.ts';
import { startedText } from './job-text.ts';

/** What the command wrote, with a note where the middle is missing. */
export function shellOutput(value: ShellValue, spill: string | undefined): string {
  if (value.droppedBytes === 0) return value.head + value.tail;
  const whole = spill === undefined ? '' : `; the whole output is in ${spill}`;
  return `${closeLine(value.head)}[${grouped(value.droppedBytes)} bytes left out${whole}]\n${value.tail}`;
}

/** What there is to say beside the output; nothing for a command that simply succeeded. */
function statusLines(value: ShellValue): string[] {
  const seconds = (value.durationMs / 1000).toFixed(1);
  const lines: string[] = [];
  if (value.timedOut) lines.push(`[timed out after ${seconds} s and was stopped]`);
  else if (value.aborted) lines.push('[stopped by the user]');
  else if (value.signal !== null) lines.push(`[ended by ${value.signal}]`);
  else if (value.exitCode !== 0) lines.push(`[exit code ${value.exitCode ?? 'unknown'}]`);
  return [...lines, ...runningLines(value)];
}

/** What outlived the command. */
export function runningLines(value: ShellValue): string[] {
  return value.leftRunning ? [`[still running: ${leftBehind(value)}]`] : [];
}

const MOST_NAMED = 10;

function leftBehind({ left }: ShellValue): string {
  if (left.length === 0) return 'processes that it started';
  const named = left.slice(0, MOST_NAMED).map(({ pid, name }) => `${name} (${pid})`);
  const more = left.length - named.length;
  return `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}

// The engine's own limits, held to them by a test.
export const DEFAULT_MS = 120_000;
const MAX_MS = 600_000;

/** The longest that a call may ask for, seconds; more where the user's own default is. */
export function longestSeconds(timeoutMs: number): number {
  return Math.floor(Math.max(MAX_MS, timeoutMs) / 1000);
}

export type ShellWords = {
  name: string;
  description: string;
  /** The default that the user chose, which may also exceed the engine's longest. */
  timeoutMs?: number;
  /** A command may run beside the conversation. */
  background?: true;
};

type Given = { command: string; timeout?: number; background?: boolean; description?: string };

const BACKGROUND: readonly Parameter[] = [
  { name: 'background', type: 'boolean', description: 'Run it beside the conversation, without a default timeout.' },
  { name: 'description', type: 'string', description: 'With background: what it is for, in a few words.' },
];

const NO_DESCRIPTION: ToolFailure = {
  code: 'arguments/invalid',
  message: 'description is missing: a few words on what a background command is for',
  data: { field: 'description' },
};

/** Executors `shell` and `start`. `timeout` is in seconds for the model, in milliseconds for the engine. */
export function shellFace({ name, description, timeoutMs = DEFAULT_MS, background }: ShellWords): ToolFace {
  const longest = longestSeconds(timeoutMs);
  return makeFace<ShellArgs | StartArgs, ShellValue | StartValue>({
    name,
    description,
    executor: 'shell',
    parameters: [
      { name: 'command', type: 'string', required: true, description: 'The command line.' },
      {
        name: 'timeout',
        type: 'integer',
        minimum: 1,
        description: `Seconds until it is stopped, at most ${longest}. Default: ${timeoutMs / 1000}.`,
      },
      ...(background === true ? BACKGROUND : []),
    ],
    toArgs(given) {
      const { command, timeout, background: beside = false, description: what = '' } = given as Given;
      const args = { command, ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }) };
      if (!beside) return { args };
      return what.trim() === ''
        ? { error: NO_DESCRIPTION }
        : { args: { ...args, description: what }, executor: 'start' };
    },
    toText(value, outcome) {
      if ('task' in value) return startedText(value.task);
      const shown = shellOutput(value, outcome.spill);
      const status = statusLines(value);
      if (status.length > 0) return closeLine(shown) + status.join('\n');
      return shown === '' ? '[no output]' : shown;
    },
  });
}
