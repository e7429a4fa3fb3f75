import { cutUnits } from '../../base/index.ts';
import { hasEnded, type Json, type Task } from '../../model/index.ts';
import type { JobShown } from '../../tools/contract/index.ts';
import { closeLine, grouped } from './face.ts';

/** Of what an agent gave; more is cut, and told. */
const RESULT_CHARACTERS = 24_000;

/** Whole seconds or minutes, as a person says it. */
function duration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

/** How long an ended task ran; null while it runs. */
function ranFor({ startedAt, endedAt }: Task): number | null {
  return endedAt === null ? null : Date.parse(endedAt) - Date.parse(startedAt);
}

/** `failed (exit code 2) after 14 s`. */
export function stateText(task: Task): string {
  const { state, detail } = task;
  const reason = detail.reason === undefined || state === 'completed' ? '' : ` (${detail.reason})`;
  const ran = ranFor(task);
  return `${state}${reason}${ran === null ? '' : ` after ${duration(ran)}`}`;
}

/** What it is: `bash-1a2b3c4d  command  running  run the tests`. */
function jobLine(task: Task): string {
  return [task.id, kindText(task), stateText(task), task.description].filter((part) => part !== '').join('  ');
}

export function kindText({ kind, detail }: Task): string {
  return kind === 'agent' && detail.agent !== undefined ? `agent ${detail.agent.name}` : kind;
}

export function resultText(value: Json): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
  if (text.length <= RESULT_CHARACTERS) return text;
  return `${cutUnits(text, RESULT_CHARACTERS)}\n[cut: ${grouped(text.length)} characters in all]`;
}

/** A job with what is known of it, then the end of its output or what it gave. */
function jobText({ task, output }: JobShown): string {
  const lines = [jobLine(task)];
  if (task.detail.command !== undefined) lines.push(`command: ${task.detail.command}`);
  if (task.kind === 'agent') {
    if (task.detail.result !== undefined) lines.push('result:', resultText(task.detail.result));
    return lines.join('\n');
  }
  if (output === null) return lines.join('\n');
  const from = output.offset === 0 ? '' : `from byte ${grouped(output.offset)} of `;
  lines.push(`output (${from}${grouped(output.total)} bytes, ${output.path}):`);
  lines.push(output.text === '' ? '[none]' : output.text);
  return lines.join('\n');
}

/** A command that was started in the background. */
export function startedText(task: Task): string {
  if (hasEnded(task)) return jobText({ task, output: null });
  const told =
    task.detail.notify === 'always'
      ? 'You will be told when it ends; until then go on, or end your answer.'
      : 'It is not expected to end; you will be told only if it fails.';
  const output = task.detail.output === undefined ? '' : `\nOutput: ${task.detail.output}`;
  return `Started ${task.id} in the background: ${task.description}. ${told}${output}`;
}

/** Several, one below the other. */
export function jobsText(jobs: readonly JobShown[], total: number): string {
  if (jobs.length === 0) return 'There are none.';
  const more = total > jobs.length ? `\n[${grouped(total - jobs.length)} more]` : '';
  return `${jobs.map(({ task }) => jobLine(task)).join('\n')}${more}`;
}

export function allJobsText(jobs: readonly JobShown[]): string {
  return jobs.map((job) => closeLine(jobText(job))).join('\n');
}
