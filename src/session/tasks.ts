import type { Note, Task, TaskDetail } from '../model/index.ts';
import { hasEnded } from '../model/index.ts';

/** The tasks that a session's notes tell of, in the order of their beginning: a fold over them. */
export function tasksOf(notes: readonly Note[]): Task[] {
  const tasks = new Map<string, Task>();
  for (const note of notes) {
    if (note.type !== 'task') continue;
    const before = tasks.get(note.task);
    const detail: TaskDetail = { ...before?.detail, ...note.detail };
    tasks.set(note.task, {
      id: note.task,
      kind: detail.kind === 'agent' ? 'agent' : 'command',
      state: note.state,
      description: detail.description ?? '',
      startedAt: before?.startedAt ?? note.time,
      endedAt: hasEnded(note) ? (before?.endedAt ?? note.time) : null,
      detail,
    });
  }
  return [...tasks.values()];
}
