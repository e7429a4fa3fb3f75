import { printable, screenLine, toRfc3339 } from '../../base/index.ts';
import type { HostPorts, SessionSummary } from '../../sdk/index.ts';

const GAP = '  ';
const DIRECTORY_WIDTH = 40;
const LEAST_TITLE = 20;

export type SessionTableOptions = { width: number; all: boolean; clock: HostPorts['clock'] };

/** Stored sessions for a person, one a line: id, last change, size, of several directories the directory, and what it is about. */
export function sessionTable(sessions: readonly SessionSummary[], options: SessionTableOptions): string {
  const rows = sessions.map((session) => [
    session.id,
    when(session.modifiedMs, options.clock),
    size(session.size),
    ...(options.all ? [directory(session.cwd)] : []),
  ]);
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return sessions
    .map((session, index) => {
      const cells = (rows[index] ?? []).map((cell, column) =>
        column === 2 ? cell.padStart(widths[column] ?? 0) : cell.padEnd(widths[column] ?? 0),
      );
      const before = cells.join(GAP);
      const room = Math.max(LEAST_TITLE, options.width - before.length - GAP.length);
      return `${before}${GAP}${about(session, room)}`.trimEnd();
    })
    .map((line) => `${line}\n`)
    .join('');
}

/** Local time to the minute. */
export function when(epochMs: number, clock: HostPorts['clock']): string {
  const { offsetMinutes } = clock.now();
  return toRfc3339({ epochMs: Math.floor(epochMs), micros: 0, offsetMinutes }, 0)
    .slice(0, 16)
    .replace('T', ' ');
}

/** `812 B`, `3.4 MB`: powers of 1000. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1000;
  let unit = 0;
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${units[unit] ?? ''}`;
}

/** The title, else how the first prompt begins. */
export function about({ title, firstPrompt }: SessionSummary, length: number): string {
  return screenLine(title ?? firstPrompt ?? '(nothing was asked)', length);
}

function directory(cwd: string): string {
  const line = printable(cwd, 1000);
  const characters = Array.from(line);
  return characters.length <= DIRECTORY_WIDTH ? line : `…${characters.slice(1 - DIRECTORY_WIDTH).join('')}`;
}
