import { dirname } from 'node:path';
import { parseRfc3339 } from '../../base/index.ts';
import type { Family, HostPorts } from '../../host/index.ts';
import { hasEnded, type Json, type Task } from '../../model/index.ts';
import { exited } from './command-watch.ts';
import {
  endAfterOutput,
  endFamily,
  exitCodeOf,
  outputSize,
  type Spool,
  spoolOf,
  TASK_MARK,
} from './spooled-command.ts';
import type { TaskBoard } from './task-board.ts';

export type Recovery = {
  /** Commands may outlive the session. */
  keep: boolean;
  /** What an agent had given before the program ended; null: nothing. */
  agentResult(task: Task): Promise<Json | null>;
};

/** A command that still runs and is watched on. */
export type Kept = { task: Task; family: Family; spool: Spool; timeoutMs: number | null };

const LOST = 'the program ended before it';

/**
 * Gives every task that an earlier run left without an end one: a command that ended has its exit code, an agent that
 * gave its result has given it, what still runs is ended and lost. Returns the commands that may go on.
 */
export async function recoverTasks(board: TaskBoard, recovery: Recovery, host: HostPorts): Promise<Kept[]> {
  const kept: Kept[] = [];
  for (const task of board.all().filter((each) => !hasEnded(each))) {
    if (task.kind === 'agent') {
      const result = await recovery.agentResult(task);
      if (result === null) board.change(task.id, 'lost', { reason: LOST });
      else board.change(task.id, 'completed', { result });
      continue;
    }
    const command = await recoverCommand(task, board, recovery, host);
    if (command !== null) kept.push(command);
  }
  return kept;
}

async function recoverCommand(task: Task, board: TaskBoard, { keep }: Recovery, host: HostPorts): Promise<Kept | null> {
  const { output, process } = task.detail;
  const spool = spoolOf(output === undefined ? '' : dirname(output));
  // Where it was killed between the start of the process and its note, the mark alone is known.
  const mark = process?.mark ?? { variable: TASK_MARK, value: task.id };
  const family = await host.process.adopt({ leader: process ?? null, mark });
  const code = output === undefined ? null : await exitCodeOf(spool, host);
  if (code !== null) {
    await endAfterOutput(family, host);
    const end = exited(code, await outputSize(spool.output, host));
    board.change(task.id, end.state, end.detail);
    return null;
  }
  if (keep && family.groupAlive()) return { task, family, spool, timeoutMs: leftOf(task, host) };
  await endFamily(family, host);
  board.change(task.id, 'lost', { reason: LOST });
  return null;
}

/** Stops the commands of a session that nobody has open, and tells which still ran. */
export async function endLeftBehind(tasks: readonly Task[], host: HostPorts): Promise<Task[]> {
  const ended: Task[] = [];
  for (const task of tasks) {
    if (hasEnded(task) || task.kind === 'agent') continue;
    const { process } = task.detail;
    const mark = process?.mark ?? { variable: TASK_MARK, value: task.id };
    const family = await host.process.adopt({ leader: process ?? null, mark });
    if (!family.groupAlive()) continue;
    await endFamily(family, host);
    ended.push(task);
  }
  return ended;
}

/** Milliseconds of its time limit that are left; null: it has none. */
function leftOf({ startedAt, detail: { timeoutMs = null } }: Task, { clock }: HostPorts): number | null {
  const now = clock.now().epochMs;
  const elapsed = now - (parseRfc3339(startedAt)?.epochMs ?? now);
  return timeoutMs === null ? null : Math.max(0, timeoutMs - Math.max(0, elapsed));
}
