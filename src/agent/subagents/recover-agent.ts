import { ReinError } from '../../base/index.ts';
import { hasEnded, type Json, type Task } from '../../model/index.ts';
import { type SessionLog, tasksOf } from '../../session/index.ts';
import { endOpenCalls } from '../call-mark.ts';
import type { AgentParts } from '../parts.ts';
import { TaskService } from '../tasks/task-service.ts';

/** Deeper than agents may start agents. */
const MAX_LEVELS = 32;

/**
 * What an agent had given when the program ended under it; null: nothing. What it had left running itself is stopped,
 * level by level.
 */
export async function recoverAgent(task: Task, parts: AgentParts, level = 0): Promise<Json | null> {
  const session = task.detail.agent?.session;
  if (session === undefined || level >= MAX_LEVELS) return null;
  let log: SessionLog;
  try {
    log = await parts.children.open(session);
  } catch (error) {
    // It never came to a file, or the file is gone.
    if (ReinError.isInstance(error)) return null;
    throw error;
  }
  try {
    await endOpenCalls(log, parts.host);
    if (!tasksOf(log.notes()).every(hasEnded)) {
      const { host, mask } = parts;
      const tasks = new TaskService({ host, log, spillDirectory: null, mostCommands: 0, mask: mask.output });
      await tasks.recover({ keep: false, agentResult: (below) => recoverAgent(below, parts, level + 1) });
    }
    return log.state().given;
  } finally {
    await log.close();
  }
}
