import { byteLength } from '../../../base/index.ts';
import { hasEnded, type Task, type TaskDetail } from '../../../model/index.ts';
import type { TaskOutput } from '../../../tools/contract/index.ts';
import { resultText } from '../../faces/job-text.ts';

/** Why a task ended, in the words of the harness. */
export function reasonText({ reason, timedOut, timeoutMs, exitCode, command }: TaskDetail): string | null {
  if (timedOut === true && typeof timeoutMs === 'number') {
    return `${command === undefined ? 'Agent' : 'Command'} timed out after ${timeoutMs / 1000}s`;
  }
  if (command !== undefined && typeof exitCode === 'number' && exitCode !== 0) {
    return `Command failed with exit code ${exitCode}`;
  }
  return reason ?? null;
}

/** One line a fact, `name: value`; what is not known is left out. */
export function taskLines(task: Task): string[] {
  const { agent, command, exitCode } = task.detail;
  const reason = reasonText(task.detail);
  return [
    `task_id: ${task.id}`,
    `kind: ${task.kind === 'agent' ? 'agent' : 'bash'}`,
    `status: ${task.state}`,
    `description: ${task.description}`,
    ...(agent === undefined ? [] : [`agent_id: ${task.id}`, `subagent_type: ${agent.name}`]),
    ...(command === undefined ? [] : [`command: ${command}`]),
    ...(exitCode === undefined || exitCode === null ? [] : [`exit_code: ${exitCode}`]),
    ...(reason === null ? [] : [`reason: ${reason}`]),
  ];
}

/** With how it ended, for a snapshot (spec/kimi-cli.md 14.5). */
export function snapshotLines(task: Task): string[] {
  const { timedOut = false } = task.detail;
  const lines = taskLines(task);
  const facts = [
    `interrupted: ${task.state === 'killed' || task.state === 'lost'}`,
    `timed_out: ${timedOut}`,
    ...(hasEnded(task) ? [`terminal_reason: ${timedOut ? 'timed_out' : task.state}`] : []),
  ];
  const at = lines.findIndex((line) => line.startsWith('exit_code:') || line.startsWith('reason:'));
  return at < 0 ? [...lines, ...facts] : [...lines.slice(0, at), ...facts, ...lines.slice(at)];
}

/** What a task has written or, of an agent, given, with where all of it is. */
export function outputLines(task: Task, output: TaskOutput | null): string[] {
  const { result } = task.detail;
  const own = result === undefined ? '' : resultText(result);
  const text = output === null ? own : output.text;
  const path = output?.path ?? '';
  const size = output?.total ?? byteLength(own);
  const preview = byteLength(text);
  const isCut = size > preview;
  const hint = path === '' ? 'All of it is shown here.' : `Read ${path} with ReadFile for all of it.`;
  return [
    ...[`output_path: ${path}`, `output_size_bytes: ${size}`, `output_preview_bytes: ${preview}`],
    ...[`output_truncated: ${isCut}`, ''],
    ...[`full_output_available: ${path !== ''}`, 'full_output_tool: ReadFile', `full_output_hint: ${hint}`, ''],
    '[output]',
    ...(isCut && path !== '' ? [`[Truncated. Full output: ${path}]`, ''] : []),
    text === '' ? '[no output available]' : text,
  ];
}
