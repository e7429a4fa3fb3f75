import type { Reminder, Turn } from '../model/index.ts';
import { TASK_KEY } from '../session/index.ts';
import type { AgentParts } from './parts.ts';
import type { TaskService } from './tasks/task-service.ts';

/** The model reads of so many ends before a request; the others come with the next one. */
const MOST_AT_ONCE = 8;
/** Bytes of the end of an output that are read for it. */
const TAIL_BYTES = 4096;

/** Tells the model of tasks that have ended, each once: the key of the reminder says which. */
export async function endedReminders(
  turn: Turn,
  { harness }: Pick<AgentParts, 'harness'>,
  tasks: Pick<TaskService, 'pending' | 'output'>,
): Promise<readonly Reminder[]> {
  const { taskEnded } = harness;
  if (taskEnded === undefined) return [];
  const reminders: Reminder[] = [];
  for (const task of tasks.pending().slice(0, MOST_AT_ONCE)) {
    const output = await tasks.output(task.id, { tail: TAIL_BYTES });
    const layout = taskEnded({ task, output }, turn);
    reminders.push({ reason: 'notification', key: `${TASK_KEY}${task.id}`, alone: true, layout });
  }
  return reminders;
}
