import type { Json, Task, ToolFailure } from '../../../model/index.ts';
import type { ShellArgs, ShellValue, StartArgs, StartValue, ToolFace } from '../../../tools/contract/index.ts';
import { runningLines } from '../../faces/shell-face.ts';
import description from '../descriptions/shell.md';
import type { KimiResult } from '../tool-result.ts';
import { kimiFace } from './kimi-face.ts';
import { limitOutput, TRUNCATED } from './limit-output.ts';

type Given = { command: string; timeout: number; run_in_background: boolean; description: string };

/** Seconds. */
const FOREGROUND_MOST = 300;
const MOST = 86_400;
/** The characters that a result holds, however many bytes they take. */
const HEAD_BYTES = 4 * 50_000;

function invalid(message: string): { error: ToolFailure } {
  return { error: { code: 'arguments/invalid', message: `Error validating JSON arguments: ${message}` } };
}

function toArgs(
  given: Readonly<Record<string, Json>>,
): { args: ShellArgs | StartArgs; executor?: string } | { error: ToolFailure } {
  const { command, timeout, run_in_background: beside, description: what } = given as Given;
  if (command.trim() === '') return { error: { code: 'shell/empty', message: 'Command cannot be empty.' } };
  const args = { command, timeoutMs: timeout * 1000 };
  if (!beside) {
    return timeout <= FOREGROUND_MOST
      ? { args: { ...args, headBytes: HEAD_BYTES } }
      : invalid(
          `timeout is at most ${FOREGROUND_MOST} seconds in the foreground; up to ${MOST} with run_in_background=true`,
        );
  }
  if (what.trim() === '') return invalid('description must not be empty with run_in_background=true');
  return { args: { ...args, description: what }, executor: 'start' };
}

/** What a started task is, and what there is to do about it (spec/kimi-cli.md 14.2). */
function startedLines(task: Task): string[] {
  return [
    `task_id: ${task.id}`,
    'kind: bash',
    `status: ${task.state}`,
    `description: ${task.description}`,
    ...(task.detail.command === undefined ? [] : [`command: ${task.detail.command}`]),
    'automatic_notification: true',
    'next_step: You will be notified when it has ended; go on, or give control back to the user.',
    'next_step: TaskOutput shows how far it is without waiting; use block=true only to wait on purpose.',
    'next_step: TaskStop is only for cancelling it.',
    'human_shell_hint: A person sees it with /task, and with no other command.',
  ];
}

function ended(value: ShellValue, seconds: number | undefined): { message: string; failed?: true } {
  if (value.timedOut) return { message: `Command killed by timeout (${seconds ?? 60}s)`, failed: true };
  if (value.aborted) return { message: 'Command was stopped by the user.', failed: true };
  if (value.signal !== null) return { message: `Command was ended by ${value.signal}.`, failed: true };
  if (value.exitCode === 0) return { message: 'Command executed successfully.' };
  return { message: `Command failed with exit code: ${value.exitCode ?? 'unknown'}.`, failed: true };
}

function toResult(
  value: ShellValue | StartValue,
  _outcome: unknown,
  _turn: unknown,
  args: ShellArgs | StartArgs | undefined,
): KimiResult {
  if ('task' in value) return { message: 'Background task started.', output: startedLines(value.task).join('\n') };
  const { text, cut } = limitOutput(value.head + value.tail);
  const { message, failed } = ended(value, args?.timeoutMs === undefined ? undefined : args.timeoutMs / 1000);
  const left = runningLines(value).map((line) => ` ${line}`);
  const note = cut || value.droppedBytes > 0 ? TRUNCATED : '';
  return { message: `${message}${left.join('')}${note}`, output: text, ...(failed === undefined ? {} : { failed }) };
}

/** Executors `shell` and `start` (spec/kimi-cli.md 13.1). */
export const SHELL: ToolFace = kimiFace<ShellArgs | StartArgs, ShellValue | StartValue>({
  name: 'Shell',
  description,
  executor: 'shell',
  parameters: [
    { name: 'command', required: true, schema: { type: 'string', description: 'The command line.' } },
    {
      name: 'timeout',
      schema: {
        type: 'integer',
        default: 60,
        minimum: 1,
        maximum: MOST,
        description: `Seconds until it is stopped; at most ${FOREGROUND_MOST} in the foreground.`,
      },
    },
    {
      name: 'run_in_background',
      schema: { type: 'boolean', default: false, description: 'Run it as a background task.' },
    },
    {
      name: 'description',
      schema: { type: 'string', default: '', description: 'What a background task is for, in a few words.' },
    },
  ],
  toArgs,
  toResult,
  toFailure: ({ code, message }) => ({
    message: code === 'shell/not-started' ? `Command execution failed: ${message}` : message,
    failed: true,
  }),
});
