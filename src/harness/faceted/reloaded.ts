import { reloadReminder } from '../../instructions/index.ts';
import { type FoundFile, isNeeds, type Needs, type Turn } from '../../model/index.ts';
import type { Reminders } from '../contract/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { FacetedForm } from './form.ts';
import { instructionBody } from './instruction-body.ts';
import { fileQuery, instructionFileRules } from './sources.ts';

/** Files looked at again at a reload; delivered ones beyond that are noticed when a context begins anew. */
const MAX_FILES = 256;

/** Whether the model holds another text of this file than the disk. What it wrote itself it knows. */
function isStale({ session }: Turn, { realPath, sha256 }: FoundFile): boolean {
  const sent = session.delivery.files[realPath];
  return sent !== undefined && sent.sha256 !== sha256 && session.observed[realPath]?.sha256 !== sha256;
}

/**
 * After a reload: one reminder with every delivered instruction file whose text is another now, which takes the place
 * of what was sent (case C15).
 */
export function reloadedReminders(form: FacetedForm, turn: Turn): Reminders | Needs {
  if (!form.reloadSupersedes) return { reminders: [] };
  const { world, session, settings } = turn;
  const known = new Map(world.files.map((file) => [file.realPath, file]));
  const paths = Object.keys(session.delivery.files).slice(0, MAX_FILES);
  const asked = world.searched.some(({ kind }) => kind === 'delivered-file');
  const unknown = paths.filter((path) => !known.has(path));
  if (!asked && unknown.length > 0) {
    const { names: _names, ...rules } = instructionFileRules(settings);
    return { needs: unknown.map((path) => fileQuery('delivered-file', path, { ...rules, refresh: 'request' })) };
  }
  const stale = paths.flatMap((path) => known.get(path) ?? []).filter((file) => isStale(turn, file));
  if (stale.length === 0) return { reminders: [] };
  const bodies = allOrNeeds(stale.map((file) => instructionBody(form, turn, file)));
  if (isNeeds(bodies)) return bodies;
  const { reminder, diagnostics } = reloadReminder(bodies, form.chain);
  return { reminders: [reminder], diagnostics: [...bodies.flatMap((body) => body.diagnostics), ...diagnostics] };
}
