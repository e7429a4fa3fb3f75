import { hasEnded, type Task, type TaskDetail, type TaskState } from '../../model/index.ts';
import { type SessionLog, tasksOf } from '../../session/index.ts';

type Begun = { id: string; kind: 'command' | 'agent'; state: TaskState; detail: TaskDetail };

/** The tasks of a session as its notes have them; each change is a note first. */
export class TaskBoard {
  readonly #log: SessionLog;
  readonly #listeners = new Set<(task: Task) => void>();
  #tasks: Map<string, Task>;
  /** Ids of those that have ended, in the order of their ends. */
  readonly #ended: string[];

  constructor(log: SessionLog) {
    this.#log = log;
    const notes = log.notes();
    this.#tasks = new Map(tasksOf(notes).map((task) => [task.id, task]));
    this.#ended = notes.flatMap((note) => (note.type === 'task' && hasEnded(note) ? [note.task] : []));
  }

  get(id: string): Task | null {
    return this.#tasks.get(id) ?? null;
  }

  /** In the order of their beginning. */
  all(): Task[] {
    return [...this.#tasks.values()];
  }

  /** In the order of their ends. */
  ended(): Task[] {
    return this.#ended.flatMap((id) => this.#tasks.get(id) ?? []);
  }

  onChange(listener: (task: Task) => void): void {
    this.#listeners.add(listener);
  }

  begin({ id, kind, state, detail }: Begun): void {
    this.#write(id, state, { kind, ...detail });
  }

  /** Nothing where it has ended already: the first end is the one that counts. */
  change(id: string, state: TaskState, detail: TaskDetail = {}): void {
    const task = this.#tasks.get(id);
    if (task !== undefined && !hasEnded(task)) this.#write(id, state, detail);
  }

  #write(id: string, state: TaskState, detail: TaskDetail): void {
    const note = this.#log.note({ type: 'task', task: id, state, detail });
    const before = this.#tasks.get(id);
    const whole: TaskDetail = { ...before?.detail, ...detail };
    const task: Task = {
      id,
      kind: whole.kind ?? 'command',
      state,
      description: whole.description ?? '',
      startedAt: before?.startedAt ?? note.time,
      endedAt: hasEnded({ state }) ? note.time : null,
      detail: whole,
    };
    this.#tasks = new Map([...this.#tasks, [id, task]]);
    if (hasEnded(task)) this.#ended.push(id);
    const { agent } = whole;
    if (agent !== undefined) {
      this.#log.note({ type: 'subagent', run: id, session: agent.session, agent: agent.name, state });
    }
    for (const listener of this.#listeners) listener(task);
  }
}
