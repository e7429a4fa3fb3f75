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
    if (left === 0) return tellUnawaited(awaited, limitMs, emit);
    const shown = awaited.map(({ id, description }) => ({ id, description }));
    if (!said) emit({ type: 'task-wait', tasks: shown, limitMs: left });
    said = true;
    const ids = awaited.map(({ id }) => id);
    await tasks.wait(ids, 'any', left, signal);
  }
}

function tellUnawaited(tasks: readonly Task[], limitMs: number, emit: SettleScope['emit']): void {
  const ids = tasks.map(({ id }) => id).join(', ');
  const message = `still running after ${Math.round(limitMs / 1000)} s of waiting (tasks.wait_ms), and stopped now: ${ids}`;
  emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'tasks/not-awaited', message } });
}
