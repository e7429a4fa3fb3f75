import type { Checkpoint, Event } from '../model/index.ts';

/** Events to look further for the request of an answer: it lies right before, or before the retries of it. */
const NEAR = 64;

/**
 * The end of a branch, taken event by event from its leaf back, as far as the state at the leaf needs it: to the last
 * boundary whose checkpoint can be relied on, and on to what the boundary keeps; else to the root.
 */
export class BranchEnd {
  readonly #isReliable: (checkpoint: Checkpoint) => boolean;
  readonly #taken: Event[] = [];
  /** Requests of answers that were taken. */
  readonly #missing = new Set<string>();
  #wanted: string | null;
  #boundary: { keptFrom: string | null } | null = null;
  #isUnreliable = false;
  #near = NEAR;

  constructor(leaf: string | null, isReliable: (checkpoint: Checkpoint) => boolean) {
    this.#wanted = leaf;
    this.#isReliable = isReliable;
  }

  /** The id of the event to be taken next; null: no more are needed. */
  get wanted(): string | null {
    return this.#wanted;
  }

  /** It goes back to the root: no boundary cut it short. */
  get isWhole(): boolean {
    return this.#boundary === null;
  }

  /** Root first. */
  events(): Event[] {
    return this.#taken.toReversed();
  }

  take(event: Event): void {
    this.#taken.push(event);
    this.#missing.delete(event.id);
    if (event.type === 'assistant') this.#missing.add(event.request);
    if (event.type === 'clear' || event.type === 'compaction') this.#meet(event);
    this.#wanted = this.#isDone(event.id) ? null : event.parentId;
  }

  /** In the place of what was wanted. Returns the event it was the parent of, with this one; undefined for the leaf. */
  adopt(parentId: string | null): Event | undefined {
    this.#wanted = parentId;
    const child = this.#taken.pop();
    if (child === undefined) return undefined;
    const adopted = { ...child, parentId };
    this.#taken.push(adopted);
    return adopted;
  }

  /** Only the last boundary counts: those before it are part of what it may keep. */
  #meet(event: Extract<Event, { type: 'clear' | 'compaction' }>): void {
    if (this.#boundary !== null || this.#isUnreliable) return;
    if (!this.#isReliable(event.checkpoint)) this.#isUnreliable = true;
    else this.#boundary = { keptFrom: event.type === 'compaction' ? event.keptFrom : null };
  }

  #isDone(id: string): boolean {
    if (this.#boundary === null) return false;
    if (this.#boundary.keptFrom === id) this.#boundary.keptFrom = null;
    if (this.#boundary.keptFrom !== null) return false;
    this.#near -= 1;
    return this.#missing.size === 0 || this.#near < 0;
  }
}
