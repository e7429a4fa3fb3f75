import type { Task, TransientEvent } from '../model/index.ts';
import type { AgentParts } from './parts.ts';
import type { TaskService } from './tasks/task-service.ts';

export type SettleScope = {
  parts: AgentParts;
  signal: AbortSignal;
  emit(event: TransientEvent): void;
  /** Resolves when no turn runs and none is queued. */
  idle(): Promise<void>;
  /** Null: no task was ever begun. */
  tasks(): TaskService | null;
  /** Whether the model may be asked again without a word of a person. */
  mayGoOn(): boolean;
  /** One turn on the ends of tasks. */
  tell(): Promise<unknown>;
};

/**
 * Waits for what runs beside the conversation, so long at most, and has the model answer to each end; a service is not
 * waited for. Where the last turn did not end well, or an abort comes, nothing is.
 */
export async function settle(limitMs: number, scope: SettleScope): Promise<void> {
  const { parts, signal, emit } = scope;
  const { clock } = parts.host;
  const until = clock.monotonicMs() + limitMs;
  let said = false;
  for (;;) {
    await scope.idle();
    const tasks = scope.tasks();
    if (tasks === null || signal.aborted || !scope.mayGoOn()) return;
    if (tasks.pending().length > 0) {
      await scope.tell();
      continue;
    }
    const awaited = tasks.awaited();
    if (awaited.length === 0) return;
    const left = Math.max(0, until - clock.monotonicMs());
    if (left === 0) return tellUnawaited(awaited, { limitMs, keep: parts.beside.keep && parts.depth === 0 }, emit);
    const shown = awaited.map(({ id, description }) => ({ id, description }));
    if (!said) emit({ type: 'task-wait', tasks: shown, limitMs: Math.round(left) });
    said = true;
    const ids = awaited.map(({ id }) => id);
    await tasks.wait(ids, 'any', left, signal);
  }
}

/** What becomes of them is what the end of the program makes of them. */
function tellUnawaited(
  tasks: readonly Task[],
  { limitMs, keep }: { limitMs: number; keep: boolean },
  emit: SettleScope['emit'],
): void {
  const kept = tasks.filter(({ kind }) => keep && kind === 'command');
  const stopped = tasks.filter((task) => !kept.includes(task));
  const became = [
    ...(stopped.length === 0 ? [] : [`stopped now: ${idsOf(stopped)}`]),
    ...(kept.length === 0 ? [] : [`running on, as tasks.on_exit says: ${idsOf(kept)}`]),
  ].join('; ');
  const seconds = Math.round(limitMs / 10) / 100;
  const message = `still running after ${seconds} s of waiting (tasks.wait_ms); ${became}`;
  emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'tasks/not-awaited', message } });
}

function idsOf(tasks: readonly Task[]): string {
  return tasks.map(({ id }) => id).join(', ');
}
