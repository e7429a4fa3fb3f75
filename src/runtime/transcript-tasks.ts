import { parseRfc3339 } from '../base/index.ts';
import { hasEnded, type Note, type Task, type TaskDetail } from '../model/index.ts';

type TaskNote = Extract<Note, { type: 'task' }>;
export type TaskLine = { event: string; time: string; type: 'change'; text: string };

function micros(time: string): number {
  const instant = parseRfc3339(time);
  return instant === undefined ? 0 : instant.epochMs * 1000 + instant.micros;
}

/** What ran beside the conversation, in the order of time between its events: a line for each beginning and end. */
export class TranscriptTasks {
  readonly #notes: TaskNote[];
  readonly #details = new Map<string, TaskDetail>();
  #next = 0;

  constructor(notes: readonly Note[]) {
    this.#notes = notes.flatMap((note) => (note.type === 'task' ? [note] : []));
  }

  *before(time: string): Generator<TaskLine> {
    const until = micros(time);
    for (let note = this.#notes[this.#next]; note !== undefined; note = this.#notes[this.#next]) {
      if (micros(note.time) >= until) return;
      yield* this.#take(note);
    }
  }

  *rest(): Generator<TaskLine> {
    for (let note = this.#notes[this.#next]; note !== undefined; note = this.#notes[this.#next]) {
      yield* this.#take(note);
    }
  }

  *#take(note: TaskNote): Generator<TaskLine> {
    this.#next += 1;
    const known = this.#details.get(note.task);
    const detail = { ...known, ...note.detail };
    this.#details.set(note.task, detail);
    if (known !== undefined && !hasEnded(note)) return;
    const what = hasEnded(note) ? endOf(note, detail) : beginningOf(detail);
    yield { event: note.id, time: note.time, type: 'change', text: `${nameOf(note.task, detail)}: ${what}` };
  }
}

function nameOf(id: Task['id'], { agent, description = '' }: TaskDetail): string {
  return `${id} (${[agent?.name, description].filter((part) => part !== undefined && part !== '').join(': ')})`;
}

function beginningOf({ agent, command = '' }: TaskDetail): string {
  return agent === undefined ? `began, ${command}` : `began, in session ${agent.session}`;
}

function endOf({ state }: TaskNote, { exitCode, reason }: TaskDetail): string {
  const code = exitCode === undefined || exitCode === null ? [] : [`exit code ${exitCode}`];
  return [state, ...code, ...(reason === undefined ? [] : [reason])].join(', ');
}
