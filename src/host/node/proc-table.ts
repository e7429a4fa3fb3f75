import { readdirSync, readFileSync } from 'node:fs';

/** One line of Linux's process table. */
export type ProcEntry = {
  pid: number;
  state: string;
  group: number;
  session: number;
  startTime: string;
};

/** Null where there is no such process, or no `/proc`. */
export function readProcEntry(pid: number): ProcEntry | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return null;
  }
  // The second field is the program's name in parentheses, with anything inside: only the last ')' ends it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const [state = '', , group = '', session = ''] = fields;
  return { pid, state, group: Number(group), session: Number(session), startTime: fields[19] ?? '' };
}

/** Every process, or null where the system has no `/proc`. */
export function readProcTable(): ProcEntry[] | null {
  let names: string[];
  try {
    names = readdirSync('/proc');
  } catch {
    return null;
  }
  const entries = names.filter((name) => /^\d+$/.test(name)).map((name) => readProcEntry(Number(name)));
  const found = entries.filter((entry) => entry !== null);
  return found.length === 0 ? null : found;
}

export function isZombie(entry: ProcEntry): boolean {
  return entry.state === 'Z' || entry.state === 'X';
}

/** Changes at every boot; null where the system does not say. */
export function readBootId(): string | null {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
  } catch {
    return null;
  }
}
