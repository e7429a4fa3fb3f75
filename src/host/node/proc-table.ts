import { readdirSync, readFileSync } from 'node:fs';

/** One line of Linux's process table. */
export type ProcEntry = {
  pid: number;
  /** The program's name, at most 15 bytes of its choice. */
  name: string;
  state: string;
  parent: number;
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
  const nameEnd = text.lastIndexOf(')');
  const fields = text.slice(nameEnd + 2).split(' ');
  const name = Buffer.from(text.slice(text.indexOf('(') + 1, nameEnd), 'latin1').toString('utf8');
  const [state = '', parent = '', group = '', session = ''] = fields;
  return {
    pid,
    name,
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    startTime: fields[19] ?? '',
  };
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

// More than any program is started with; the system's own limit is near it.
const MAX_ENVIRONMENT_BYTES = 4 * 1024 * 1024;

/** Whether a process was started with this variable, or with more after a comma; false where it may not be asked. */
export function hasVariable(pid: number, variable: string, value: string): boolean {
  try {
    const environment = readFileSync(`/proc/${pid}/environ`);
    if (environment.length > MAX_ENVIRONMENT_BYTES) return false;
    const text = `\0${environment.toString('latin1')}\0`;
    return [`\0${variable}=${value}\0`, `\0${variable}=${value},`].some((entry) => text.includes(entry));
  } catch {
    return false;
  }
}
