import { reloadReminder } from '../../instructions/index.ts';
import { type FoundFile, isNeeds, type Needs, type Turn } from '../../model/index.ts';
import type { Reminders } from '../contract/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { FacetedForm } from './form.ts';
import { instructionBody } from './instruction-body.ts';
import { filesNeeded } from './sources.ts';

/** Files looked at again at a reload; delivered ones beyond that are noticed when a context begins anew. */
const MAX_FILES = 256;

/** Whether the model holds another text of this file than the disk. */
export function isStale({ session }: Turn, { realPath, sha256, size, status }: FoundFile): boolean {
  const sent = session.delivery.files[realPath];
  if (sent === undefined || sent.sha256 === sha256) return false;
  // Of a large file, which has no hash, it would get the path: who worked with it as it is has that.
  return status !== 'path-only' || session.observed[realPath]?.size !== size;
}

/** Instruction files that the model was given; a file of prose that it only read is none. */
function givenFiles({ session: { delivery } }: Turn): string[] {
  const used = new Set(delivery.used);
  return Object.keys(delivery.files)
    .filter((path) => used.has(path))
    .slice(0, MAX_FILES);
}

/**
 * After a reload: one reminder with every delivered instruction file whose text is another now, which takes the place
 * of what was sent (case C15).
 */
export function reloadedReminders(form: FacetedForm, turn: Turn): Reminders | Needs {
  if (!form.reloadSupersedes) return { reminders: [] };
  const known = new Map(turn.world.files.map((file) => [file.realPath, file]));
  const paths = givenFiles(turn);
  const unknown = paths.filter((path) => !known.has(path));
  const needed = filesNeeded(turn, 'delivered-file', unknown);
  if (needed !== null) return needed;
  const stale = paths.flatMap((path) => known.get(path) ?? []).filter((file) => isStale(turn, file));
  if (stale.length === 0) return { reminders: [] };
  const bodies = allOrNeeds(stale.map((file) => instructionBody(form, turn, file)));
  if (isNeeds(bodies)) return bodies;
  const { reminder, diagnostics } = reloadReminder(bodies, form.chain);
  return { reminders: [reminder], diagnostics: [...bodies.flatMap((body) => body.diagnostics), ...diagnostics] };
}
