import type { AdoptSpec, SpawnSpec } from '../index.ts';
import { hasVariable, isZombie, type ProcEntry, readBootId, readProcEntry, readProcTable } from './proc-table.ts';

type Leader = {
  pid: number;
  /** When it began: nothing older can be of it. Null: not known. */
  startedAt: number | null;
};

/**
 * A process and what came of it: its process group, its session, what bears its mark although it left both, and the
 * children of all these, which may have cleared the mark away. Who left, cleared the mark and lost its parent before
 * anybody looked is not found. Where the system has no process table only the group is known.
 */
export class ProcessFamily {
  /** Null: it is gone, or not surely the one that is meant: then only what bears the mark is of the family. */
  readonly #leader: Leader | null;
  readonly #mark: SpawnSpec['mark'];
  /** Known by their parents, with their start times: they stay of the family when the parent is gone. */
  readonly #children = new Map<number, string>();

  private constructor(leader: Leader | null, mark: SpawnSpec['mark']) {
    this.#leader = leader;
    this.#mark = mark;
  }

  /** Of a child that was just started. */
  static of(pid: number, mark: SpawnSpec['mark']): ProcessFamily {
    const entry = mark === undefined ? null : readProcEntry(pid);
    return new ProcessFamily({ pid, startedAt: entry === null ? null : Number(entry.startTime) }, mark);
  }

  /** Of a process that an earlier run of the program started. */
  static adopted({ leader, mark }: AdoptSpec): ProcessFamily {
    const entry = leader === null || leader.pid <= 1 ? null : readProcEntry(leader.pid);
    const isSame =
      entry !== null &&
      leader !== null &&
      leader.startTime === entry.startTime &&
      (leader.bootId === null || leader.bootId === readBootId());
    return new ProcessFamily(isSame ? { pid: entry.pid, startedAt: Number(entry.startTime) } : null, mark);
  }

  /** Dead ones that nobody has waited for would still answer to a signal, and are left out. */
  living(): ProcEntry[] {
    return this.#members() ?? [];
  }

  isAlive(): boolean {
    const living = this.#members();
    if (living !== null) return living.length > 0;
    return this.#leader !== null && send(-this.#leader.pid, 0);
  }

  /** False: nothing was left. */
  kill(signal: NodeJS.Signals): boolean {
    const living = this.#members();
    const reached = this.#leader !== null && send(-this.#leader.pid, signal);
    // Asked again: one that left the group just before the signal is seen now, one that leaves it later has got it.
    for (const entry of this.#members() ?? []) if (entry.group !== this.#leader?.pid) send(entry.pid, signal);
    return living === null ? reached : living.length > 0;
  }

  #members(): ProcEntry[] | null {
    const living = readProcTable()?.filter((entry) => !isZombie(entry));
    if (living === undefined) return null;
    const members = new Set(living.filter((entry) => this.#belongs(entry)));
    const ids = new Set([...members].map(({ pid }) => pid));
    // Until nobody joins: a child has a higher place in the table than its parent only as a rule.
    for (let before = -1; before !== members.size; ) {
      before = members.size;
      for (const entry of living) {
        if (members.has(entry) || !ids.has(entry.parent) || entry.pid === process.pid) continue;
        members.add(entry);
        ids.add(entry.pid);
        this.#children.set(entry.pid, entry.startTime);
      }
    }
    return living.filter((entry) => members.has(entry));
  }

  #belongs(entry: ProcEntry): boolean {
    const leader = this.#leader;
    if (leader !== null && (entry.group === leader.pid || entry.session === leader.pid)) return true;
    if (entry.pid === process.pid) return false;
    if (this.#children.get(entry.pid) === entry.startTime) return true;
    if (this.#mark === undefined) return false;
    if (leader !== null && (leader.startedAt === null || Number(entry.startTime) < leader.startedAt)) return false;
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
