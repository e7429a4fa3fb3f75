import type { FileObservation } from '../../model/index.ts';

type Turn = {
  done: Promise<void>;
  /** What the last change of this run of changes left, and whose change it was. */
  after: { session: string; observation: FileObservation } | undefined;
};

/**
 * Lets changes of one file happen one after the other. A change that waited for another of its own session is told
 * what that one left: calls of one batch share one state, in which the earlier change is not yet to be seen. Nothing
 * is remembered once the queue of a path is empty.
 */
export class PathQueue {
  readonly #turns = new Map<string, Turn>();

  async run<T extends { observed: FileObservation[] }>(
    path: string,
    session: string,
    work: (waited: FileObservation | undefined) => Promise<T>,
  ): Promise<T> {
    const before = this.#turns.get(path);
    let finish: () => void = () => undefined;
    const turn: Turn = {
      done: new Promise((resolve) => {
        finish = resolve;
      }),
      after: undefined,
    };
    this.#turns.set(path, turn);
    try {
      await before?.done;
      turn.after = before?.after;
      const outcome = await work(turn.after?.session === session ? turn.after.observation : undefined);
      const [observation] = outcome.observed;
      if (observation !== undefined) turn.after = { session, observation };
      return outcome;
    } finally {
      if (this.#turns.get(path) === turn) this.#turns.delete(path);
      finish();
    }
  }
}
