import { discovered, fileReminder, filesOf, touchedQueries } from '../../instructions/index.ts';
import { type Batch, isNeeds, type Needs, type Turn } from '../../model/index.ts';
import type { Reminders } from '../contract/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { FacetedForm } from './form.ts';
import { instructionBody } from './instruction-body.ts';
import { linkReminders } from './links.ts';
import { speaking, takesInstructions } from './members.ts';
import { referenceRules } from './references.ts';
import { instructionFileRules } from './sources.ts';

/**
 * The instruction files of the directories that a batch touched, after the whole batch (seed 004): each once in a
 * context, the most general first, with what they link to.
 */
export function discoveredReminders(form: FacetedForm, turn: Turn, batch: Batch): Reminders | Needs {
  if (!takesInstructions(form, turn)) return { reminders: [] };
  const { world, session, settings } = turn;
  const { project } = referenceRules(form, turn);
  const asked = world.searched.some(({ kind }) => kind === 'discovered-file');
  if (!asked) {
    const rules = { ...instructionFileRules(settings), refresh: 'request' as const };
    const queries = touchedQueries(batch, { world, session, project }, rules);
    return queries.length === 0 ? { reminders: [] } : { needs: queries };
  }
  const due = discovered(speaking(filesOf(world.files, 'discovered-file')), session.delivery);
  const bodies = allOrNeeds(due.map((file) => instructionBody(form, turn, file)));
  if (isNeeds(bodies)) return bodies;
  const links = linkReminders(form, turn, bodies, 'tool-batch');
  if (isNeeds(links)) return links;
  const made = bodies.map(({ file, text }) => fileReminder(file, text, form.chain, 'tool-batch', 'discovery'));
  return {
    reminders: [...made.map(({ reminder }) => reminder), ...links.reminders],
    diagnostics: [
      ...bodies.flatMap(({ diagnostics }) => diagnostics),
      ...made.flatMap(({ diagnostics }) => diagnostics),
      ...(links.diagnostics ?? []),
    ],
  };
}
