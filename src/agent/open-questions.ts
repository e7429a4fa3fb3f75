import { CommandError } from './error.ts';

/** What became of a question. `nobody`: there is no one to answer, or no longer. */
export type QuestionEnd =
  | { type: 'answer'; value: unknown; feedback?: string }
  | { type: 'nobody' }
  | { type: 'aborted' };

export type Question = {
  /** Tells front ends; called once, before anything is waited for. */
  show(id: string): void;
  /** What is wrong with an answer, as the end of "must be …"; null: it is taken. */
  faultOf(value: unknown): string | null;
  signal: AbortSignal;
};

type Waiting = { question: Question; settle(end: QuestionEnd): void };

/** The questions that wait for a person: each is shown once and takes one answer, by its id. */
export class OpenQuestions {
  readonly #waiting = new Map<string, Waiting>();
  #someoneAnswers: boolean;
  #asked = 0;

  constructor(someoneAnswers: boolean) {
    this.#someoneAnswers = someoneAnswers;
  }

  get canAsk(): boolean {
    return this.#someoneAnswers;
  }

  /** Asks and waits. Never rejects; an abort ends the wait. */
  ask(question: Question): Promise<QuestionEnd> {
    if (!this.#someoneAnswers) return Promise.resolve({ type: 'nobody' });
    if (question.signal.aborted) return Promise.resolve({ type: 'aborted' });
    this.#asked += 1;
    const id = `question-${this.#asked}`;
    const ended = new Promise<QuestionEnd>((resolve) => {
      const onAbort = (): void => settle({ type: 'aborted' });
      const settle = (end: QuestionEnd): void => {
        question.signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(id);
        resolve(end);
      };
      question.signal.addEventListener('abort', onAbort, { once: true });
      this.#waiting.set(id, { question, settle });
    });
    question.show(id);
    return ended;
  }

  /** Throws CommandError command/no-target, command/invalid: the question stays open. */
  answer(id: string, value: unknown, feedback?: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined) {
      throw new CommandError('command/no-target', `there is no open question ${JSON.stringify(id.slice(0, 100))}`);
    }
    const fault = waiting.question.faultOf(value);
    if (fault !== null) throw new CommandError('command/invalid', `the value of this answer must be ${fault}`);
    waiting.settle({ type: 'answer', value, ...(feedback === undefined ? {} : { feedback }) });
  }

  /** Nobody answers from now on: what waits is told so. */
  close(): void {
    this.#someoneAnswers = false;
    for (const { settle } of [...this.#waiting.values()]) settle({ type: 'nobody' });
  }
}
