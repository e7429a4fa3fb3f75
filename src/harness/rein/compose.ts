import type { Diagnostic } from '../../base/index.ts';
import { chainDue, chainReminder, editedSince, filesOf, promptLayers } from '../../instructions/index.ts';
import type { Composition, Reminder, Turn } from '../../model/index.ts';
import { DATE_PIN, pinnedDate, reinBasePrompt } from './base-prompt.ts';
import { REIN_CHAIN } from './reminders.ts';

type Chain = { chain: readonly string[] | null; reminders: readonly Reminder[]; diagnostics: readonly Diagnostic[] };

const UNCHANGED: Chain = { chain: null, reminders: [], diagnostics: [] };

/** Membership is checked when a turn starts; within one only where the context has just begun anew. */
function composeChain(turn: Turn): Chain {
  const files = filesOf(turn.world.files, 'context-file');
  const { delivery } = turn.session;
  const within = turn.reason === 'batch' || turn.reason === 'steer';
  if (within && delivery.chain !== null) return UNCHANGED;
  const { due, paths, trigger } = chainDue(turn.session, files);
  if (!due) return { ...UNCHANGED, diagnostics: editedSince(delivery, files) };
  const { reminder, diagnostics } = chainReminder(files, delivery, trigger, REIN_CHAIN);
  return { chain: paths, reminders: reminder === null ? [] : [reminder], diagnostics };
}

/**
 * The system prompt holds the base prompt, or SYSTEM.md, and what is appended; nothing in it changes while a
 * conversation goes on, unless the tools do. Instruction files go into the history, as one chain reminder.
 */
export function composeRein(turn: Turn): Composition {
  const { world, session, settings } = turn;
  const date = pinnedDate(session, turn.submission.startedAt);
  const { laid, diagnostics } = promptLayers({
    base: () => reinBasePrompt(world, turn.tools, date),
    override: filesOf(world.files, 'override')[0],
    append: filesOf(world.files, 'append')[0],
    flags: settings.flags,
    trigger: 'every-request',
  });
  const chain = composeChain(turn);
  return {
    system: laid,
    pins: session.pins[DATE_PIN] === undefined ? [{ name: DATE_PIN, value: date }] : [],
    reminders: { beforePrompt: chain.reminders, afterPrompt: [] },
    chain: chain.chain,
    options: {},
    diagnostics: [...diagnostics, ...chain.diagnostics],
  };
}
