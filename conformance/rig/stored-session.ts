import { appendFileSync } from 'node:fs';
import type { EventBody } from '../../src/model/index.ts';
import type { Workspace } from '../rig.ts';

/** Writes an event behind the last one of the only stored session, as a version of the program that has it would. */
export function appendEvent(w: Workspace, event: EventBody): void {
  const last = w.sessionLines().findLast((line) => 'parentId' in line);
  const [file] = w.sessionFiles();
  if (last === undefined || file === undefined) throw new RangeError('no stored event to go on from');
  const line = { id: `${String(last.id)}x`, parentId: last.id, time: last.time, ...event };
  appendFileSync(file, `${JSON.stringify(line)}\n`);
}

/** The stored lines of one type. */
export function storedLines(w: Workspace, type: string): Record<string, unknown>[] {
  return w.sessionLines().filter((line) => line.type === type);
}
