import type { Reminder, Turn } from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import { endedReminders } from './ended-tasks.ts';
import type { AgentParts } from './parts.ts';
import { prepareRequest } from './prepare-request.ts';
import { openSubmission, type Prepared } from './submission.ts';
import { TaskService } from './tasks/task-service.ts';

/** What the next prompt would send. `log` is the scratch log whose history ends with that prompt. */
export type Preview = { prepared: Prepared; log: SessionLog; body: readonly string[] };

/**
 * Does exactly what a submission does, on a scratch log, up to the point where the request would leave. Nothing is
 * written and no model is asked.
 */
export async function preview(parts: AgentParts, prompt: string): Promise<Preview> {
  const log = parts.log.scratch();
  const ended = (turn: Turn): Promise<readonly Reminder[]> => endedTold({ ...parts, log }, turn);
  const prepared = await openSubmission({ ...parts, log }, log, { text: prompt, from: 'user' }, 'startup', ended);
  return { prepared, log, body: prepareRequest(parts, log, prepared).body };
}

/** What has ended, and was not told, as far as the log knows: what became of a task that still ran is seen at a start. */
async function endedTold(parts: AgentParts, turn: Turn): Promise<readonly Reminder[]> {
  const { host, log, spillDirectory, beside, mask } = parts;
  if (!log.notes().some(({ type }) => type === 'task')) return [];
  const tasks = new TaskService({ host, log, spillDirectory, mostCommands: beside.commands, mask: mask.output });
  return endedReminders(turn, parts, tasks);
}
