import type { SpawnSpec } from '../index.ts';
import { hasVariable, isZombie, type ProcEntry, readProcEntry, readProcTable } from './proc-table.ts';

/**
 * A child and what came of it: its process group, its session, and what bears its mark although it left both. Where
 * the system has no process table only the group is known.
 */
export class ProcessFamily {
  readonly #leader: number;
  readonly #mark: SpawnSpec['mark'];
  /** When the child began: nothing older can be of it. Null: not known. */
  readonly #startedAt: number | null;

  constructor(leader: number, mark: SpawnSpec['mark']) {
    this.#leader = leader;
    this.#mark = mark;
    const entry = mark === undefined ? null : readProcEntry(leader);
    this.#startedAt = entry === null ? null : Number(entry.startTime);
  }

  /** Dead ones that nobody has waited for would still answer to a signal, and are left out. */
  living(): ProcEntry[] {
    return this.#members() ?? [];
  }

  isAlive(): boolean {
    const living = this.#members();
    return living === null ? send(-this.#leader, 0) : living.length > 0;
  }

  /** False: nothing was left. */
  kill(signal: NodeJS.Signals): boolean {
    const living = this.#members();
    const reached = send(-this.#leader, signal);
    // Asked again: one that left the group just before the signal is seen now, one that leaves it later has got it.
    for (const entry of this.#members() ?? []) if (entry.group !== this.#leader) send(entry.pid, signal);
    return living === null ? reached : living.length > 0;
  }

  #members(): ProcEntry[] | null {
    return readProcTable()?.filter((entry) => !isZombie(entry) && this.#belongs(entry)) ?? null;
  }

  #belongs(entry: ProcEntry): boolean {
    if (entry.group === this.#leader || entry.session === this.#leader) return true;
    if (this.#mark === undefined || this.#startedAt === null || Number(entry.startTime) < this.#startedAt) return false;
    return hasVariable(entry.pid, this.#mark.variable, this.#mark.value);
  }
}

/** True when the signal reached somebody. */
function send(target: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(target, signal);
    return true;
  } catch {
    return false;
  }
}
