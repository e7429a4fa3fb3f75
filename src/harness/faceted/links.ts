import { dirname } from 'node:path';
import { fileReminder, followLinks, type LinkContainer } from '../../instructions/index.ts';
import { type FoundFile, isNeeds, type Needs, type Trigger, type Turn } from '../../model/index.ts';
import type { Reminders } from '../contract/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { FacetedForm } from './form.ts';
import { type InstructionBody, instructionBody } from './instruction-body.ts';
import { referenceRules } from './references.ts';

function containerOf({ file, text }: InstructionBody): LinkContainer {
  return { text, path: file.realPath, directory: dirname(file.realPath), scope: file.scope };
}

/** Files that one was given already, or is about to be given by the chain. */
function isGiven(turn: Turn, file: FoundFile): boolean {
  if (turn.session.delivery.files[file.realPath] !== undefined) return true;
  return turn.world.files.some(
    ({ kind, realPath, status }) => kind === 'context-file' && realPath === file.realPath && status !== 'path-only',
  );
}

/** A reminder for each file that these bodies link to by `@path`, once in a context (seed 004). */
export function linkReminders(
  form: FacetedForm,
  turn: Turn,
  bodies: readonly InstructionBody[],
  trigger: Trigger,
): Reminders | Needs {
  return remindersFor(form, turn, bodies.map(containerOf), trigger);
}

/** The same for what a person typed. */
export function typedLinkReminders(form: FacetedForm, turn: Turn, text: string): Reminders | Needs {
  const { cwd } = turn.world;
  return remindersFor(form, turn, [{ text, path: null, directory: cwd, scope: 'prompt' }], 'on-invocation');
}

function remindersFor(
  form: FacetedForm,
  turn: Turn,
  containers: readonly LinkContainer[],
  trigger: Trigger,
): Reminders | Needs {
  const followed = followLinks(containers, turn.world, referenceRules(form, turn));
  if ('queries' in followed) return { needs: followed.queries };
  const due = followed.links.filter((file) => !isGiven(turn, file));
  const bodies = allOrNeeds(due.map((file) => instructionBody(form, turn, file)));
  if (isNeeds(bodies)) return bodies;
  const made = bodies.map(({ file, text }) => {
    const linkedFrom = followed.referrers[file.realPath] ?? null;
    return fileReminder(file, text, form.chain, trigger, linkedFrom === null ? 'linked' : { linkedFrom });
  });
  return {
    reminders: made.map(({ reminder }) => reminder),
    diagnostics: [
      ...followed.diagnostics,
      ...bodies.flatMap((body) => body.diagnostics),
      ...made.flatMap(({ diagnostics }) => diagnostics),
    ],
  };
}
