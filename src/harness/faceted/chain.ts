import type { Diagnostic } from '../../base/index.ts';
import { chainDue, chainReminder, editedSince } from '../../instructions/index.ts';
import { isNeeds, type Needs, type Reminder, type Turn } from '../../model/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { FacetedForm } from './form.ts';
import { instructionBody } from './instruction-body.ts';
import { linkReminders } from './links.ts';
import { chainMembers, speaking } from './members.ts';
import { composeRedelivery } from './redeliver.ts';
import { isStale } from './reloaded.ts';

export type Chain = {
  chain: readonly string[] | null;
  reminders: readonly Reminder[];
  diagnostics: readonly Diagnostic[];
};

const UNCHANGED: Chain = { chain: null, reminders: [], diagnostics: [] };

/**
 * The chain of instruction files, and what they link to. Membership is checked when a turn starts; within one only
 * where the context has just begun anew.
 */
export function composeChain(form: FacetedForm, turn: Turn): Chain | Needs {
  const files = chainMembers(form, turn);
  const { delivery } = turn.session;
  if (delivery.chain === null && delivery.began === 'compaction') return composeRedelivery(form, turn);
  const within = turn.reason === 'batch' || turn.reason === 'steer';
  if (within && delivery.chain !== null) return UNCHANGED;
  const { due, paths, trigger } = chainDue(turn.session, files);
  if (!due)
    return {
      ...UNCHANGED,
      diagnostics: editedSince(
        delivery,
        files.filter((file) => isStale(turn, file)),
      ),
    };
  const bodies = allOrNeeds(speaking(files).map((file) => instructionBody(form, turn, file)));
  if (isNeeds(bodies)) return bodies;
  const links = linkReminders(form, turn, bodies, trigger);
  if (isNeeds(links)) return links;
  const { reminder, diagnostics } = chainReminder(bodies, delivery, trigger, form.chain);
  return {
    chain: paths,
    reminders: [...(reminder === null ? [] : [reminder]), ...links.reminders],
    diagnostics: [...bodies.flatMap((body) => body.diagnostics), ...diagnostics, ...(links.diagnostics ?? [])],
  };
}
