import { messageOf } from '../../base/index.ts';
import type { TaskDetail, TaskState } from '../../model/index.ts';
import { PermissionNeeded } from '../error.ts';
import { finalText } from '../final-text.ts';
import { noResultReminder, shortResultReminder } from '../notices.ts';
import type { TurnEnd } from '../run-turn.ts';
import type { ChildSession } from './child-session.ts';

/** Times that it is told that its result is missing. */
const MAX_REMINDED = 2;

/** `short`: a text of fewer characters is asked to be said more fully, once. */
export type RunWords = {
  exitTool: string | null;
  short?: { under: number; words: string };
  waitMs: number;
  signal: AbortSignal;
};

export type RunOutcome = { state: TaskState; detail: TaskDetail; needsPerson?: PermissionNeeded };

/**
 * A subagent from its caller's prompt to its result, which is what it gives to its exit tool; where the harness has none,
 * its last text. `waitMs`: how long it waits for what it started itself.
 */
export async function runToResult(
  child: ChildSession,
  prompt: string,
  { exitTool, short, waitMs, signal }: RunWords,
): Promise<RunOutcome> {
  let end = await child.ask(prompt);
  let reminded = 0;
  for (;;) {
    const outcome = outcomeOf(child, end, signal);
    if (outcome !== null) return outcome;
    await child.settle(waitMs);
    const settled = outcomeOf(child, child.last, signal);
    if (settled !== null) return settled;
    if (exitTool === null) {
      const result = finalText(child.parts.log.state().history);
      if (short === undefined || reminded > 0 || result.trim().length >= short.under) {
        return { state: 'completed', detail: { result } };
      }
      reminded += 1;
      end = await child.tell([shortResultReminder(short.words, child.parts.harness)]);
      continue;
    }
    if (reminded >= MAX_REMINDED) {
      return { state: 'failed', detail: { reason: `it ended without giving a result to ${exitTool}` } };
    }
    reminded += 1;
    end = await child.tell([noResultReminder(exitTool, child.parts.harness)]);
  }
}

/** Null: its turn ended well, and no result was given. */
function outcomeOf({ parts }: ChildSession, end: TurnEnd | null, signal: AbortSignal): RunOutcome | null {
  const { given } = parts.log.state();
  if (given !== null) return { state: 'completed', detail: { result: given } };
  if (signal.aborted) return stopped(signal);
  if (end === null) return { state: 'failed', detail: { reason: 'it could not be started' } };
  if (end.stop === 'end') return null;
  if (end.error instanceof PermissionNeeded) {
    return { state: 'failed', detail: { reason: end.error.message }, needsPerson: end.error };
  }
  const reason = end.error === null ? reasonOf(end) : messageOf(end.error);
  return { state: end.stop === 'aborted' ? 'killed' : 'failed', detail: { reason } };
}

function reasonOf({ stop, requests }: TurnEnd): string {
  return stop === 'max-turns' ? `stopped after ${requests} model requests` : `its turn ended: ${stop}`;
}

/** Why it was stopped: the task's own signal says so by its reason; that of its caller's turn has none to tell. */
function stopped({ reason }: AbortSignal): RunOutcome {
  const timedOut = reason instanceof Error && reason.name === 'TimeoutError';
  const said = timedOut || typeof reason === 'string' ? messageOf(reason) : 'stopped by the user';
  return { state: timedOut ? 'failed' : 'killed', detail: { reason: said, ...(timedOut ? { timedOut } : {}) } };
}
