import type { Json, ToolFailure } from '../../../model/index.ts';
import type { ShellArgs, ShellValue, StartArgs, StartValue, ToolFace } from '../../../tools/contract/index.ts';
import type { KimiResult } from '../tool-result.ts';
import { kimiFace } from './kimi-face.ts';
import { limitOutput, TRUNCATED } from './limit-output.ts';

function invalid(message: string): { error: ToolFailure } {
  return { error: { code: 'arguments/invalid', message: `Error validating JSON arguments: ${message}` } };
}

const FOREGROUND_MOST = 300;

function toArgs(
  given: Readonly<Record<string, Json>>,
): { args: ShellArgs | StartArgs; executor?: string } | { error: ToolFailure } {
  const {
    command,
    timeout,
    run_in_background: beside,
    description,
  } = given as {
    command: string;
    timeout: number;
    run_in_background: boolean;
    description: string;
  };
  const args = { command, timeoutMs: timeout * 1000 };
  if (!beside) {
    return timeout <= FOREGROUND_MOST
      ? { args }
      : invalid(`timeout is at most ${FOREGROUND_MOST} seconds; up to 86400 with run_in_background`);
  }
  if (description.trim() === '') return invalid('run_in_background needs a description');
  return { args: { ...args, description }, executor: 'start' };
}

function toResult(value: ShellValue | StartValue): KimiResult {
  if ('task' in value) return { output: `task_id: ${value.task.id}` };
  const { text, cut } = limitOutput(value.head + value.tail);
  const note = cut || value.droppedBytes > 0 ? TRUNCATED : '';
  if (value.exitCode === 0) return { message: `Command executed successfully.${note}`, output: text };
  return { message: `Command failed with exit code: ${value.exitCode}.${note}`, failed: true, output: text };
}

/** Executors `shell` and `start` (spec/kimi-cli.md 13.1). */
export function kimiShellFace(description: string): ToolFace {
  return kimiFace<ShellArgs | StartArgs, ShellValue | StartValue>({
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
          maximum: 86_400,
          description: 'Seconds until it is stopped.',
        },
      },
      {
        name: 'run_in_background',
        schema: { type: 'boolean', default: false, description: 'Run it as a background task.' },
      },
      { name: 'description', schema: { type: 'string', default: '', description: 'What a background task is for.' } },
    ],
    toArgs,
    toResult,
  });
}
