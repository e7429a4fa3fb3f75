import { parseRfc3339, sha256 } from '../../base/index.ts';
import { lay, makePiece, neutraliseClosingTags } from '../../instructions/index.ts';
import type { Laid, Task } from '../../model/index.ts';
import type { EndedTask } from '../contract/index.ts';
import { resultText } from '../faces/job-text.ts';
import { reasonText } from './faces/task-lines.ts';

const TAGS = ['notification', 'task-notification'];
/** Of the end of an output. */
const TAIL_LINES = 20;
const TAIL_CHARACTERS = 3000;

type Reason = 'completed' | 'timed_out' | 'failed' | 'killed' | 'lost';

const SEVERITY: Readonly<Record<Reason, string>> = {
  completed: 'success',
  timed_out: 'error',
  failed: 'error',
  killed: 'warning',
  lost: 'error',
};

function reasonOf({ state, detail }: Task): Reason {
  if (detail.timedOut === true) return 'timed_out';
  return state === 'completed' || state === 'killed' || state === 'lost' ? state : 'failed';
}

/** `<1s`, `5s`, `1m 30s`, `1h 1m 1s`. */
function shownDuration(milliseconds: number): string {
  const seconds = Math.floor(milliseconds / 1000);
  if (seconds < 1) return '<1s';
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const parts = [hours > 0 ? `${hours}h` : '', minutes > 0 || hours > 0 ? `${minutes}m` : '', `${rest}s`];
  return parts.filter((part) => part !== '').join(' ');
}

function endedAt({ startedAt, endedAt: at }: Task): string {
  const [from, to] = [parseRfc3339(startedAt), parseRfc3339(at ?? startedAt)];
  const lasted = shownDuration(Math.max(0, (to?.epochMs ?? 0) - (from?.epochMs ?? 0)));
  return `${(at ?? startedAt).slice(0, 19).replace('T', ' ')}, Duration: ${lasted}`;
}

function facts(detail: Task['detail'], state: Task['state']): string[] {
  const { exitCode, timedOut } = detail;
  const reason = reasonText(detail);
  return [
    ...(timedOut === true ? ['Terminal reason: timed_out'] : []),
    ...(exitCode === undefined || exitCode === null ? [] : [`Exit code: ${exitCode}`]),
    ...(reason === null || state === 'completed' ? [] : [`Failure reason: ${reason}`]),
  ];
}

function tailOf({ task, output }: EndedTask): string[] {
  const { result } = task.detail;
  const whole = output?.text ?? (result === undefined ? '' : resultText(result));
  if (whole.trim() === '') return [];
  const lines = whole.replace(/\n+$/, '').split('\n').slice(-TAIL_LINES).join('\n');
  return ['Output tail:', lines.slice(-TAIL_CHARACTERS).toWellFormed()];
}

/** The end of a task, as a message of its own (spec/kimi-cli.md 14.7). */
export function taskNotification(ended: EndedTask): Laid {
  const { task } = ended;
  const reason = reasonOf(task);
  const type = task.kind === 'agent' ? 'agent' : 'bash';
  const word = reason === 'completed' ? 'Completed at' : 'Finished at';
  const inner = [
    `Title: Background task ${reason.replace('_', ' ')}: ${task.description}`,
    `Severity: ${SEVERITY[reason]}`,
    `Task ID: ${task.id}`,
    `Status: ${task.state} (${word}: ${endedAt(task)})`,
    `Description: ${task.description}`,
    ...facts(task.detail, task.state),
  ];
  const block = [
    `Task ID: ${task.id}`,
    `Task Type: ${type}`,
    `Description: ${task.description}`,
    `Status: ${task.state}`,
    ...facts(task.detail, task.state).filter((line) => !line.startsWith('Terminal')),
    ...tailOf(ended),
  ];
  const safe = (lines: readonly string[]): string => neutraliseClosingTags(lines.join('\n'), TAGS).text;
  const id = `n${sha256(`background_task:${task.id}:${reason}`).slice(0, 8)}`;
  const text = [
    `<notification id="${id}" category="task" type="task.${reason}" source_kind="background_task" source_id="${task.id}">`,
    safe(inner),
    '<task-notification>',
    safe(block),
    '</task-notification>',
    '</notification>',
  ].join('\n');
  const piece = makePiece({
    id: `task:${task.id}`,
    kind: 'notice',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'The end of a background task is told to the model once, in a message of its own.',
    requirement: 'M28',
    text,
  });
  return lay(piece, 'notice');
}
