import type { Diagnostic } from '../base/index.ts';
import type { FoundFile, Piece, Reminder, Trigger } from '../model/index.ts';
import type { ChainForm } from './chain-reminder.ts';
import { inTag, lay } from './layout.ts';
import { guidancePiece, makePiece } from './piece.ts';
import { shownPath } from './references/shown-path.ts';
import { type FileWords, layBodies, layPathLines, type ReminderBody } from './reminder-body.ts';

/** Why one file goes out by itself. 'linked': a person named it; `linkedFrom`: the real path of the file that does. */
export type FileReason = 'discovery' | 'linked' | { linkedFrom: string };

const PATH_RULE = 'An instruction file too large to send: its path goes out instead of its text.';

function introPiece(id: string, text: string): Piece {
  return guidancePiece(id, 'Says why the file in this message is sent, and what it holds for.', text);
}

function linkedIntro({ linked }: ChainForm, from: string): Piece {
  return makePiece({
    id: 'linked/intro',
    kind: 'guidance',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'Says which file refers to the one in this message.',
    text: `${linked.intro} ${linked.from} ${shownPath(from)}.`,
  });
}

function framed(
  bodies: readonly ReminderBody[],
  form: ChainForm,
  words: FileWords,
  intro: Piece,
  trigger: Trigger,
): Pick<Reminder, 'layout'> & { diagnostics: Diagnostic[] } {
  const isBody = ({ file }: ReminderBody): boolean => file.status !== 'path-only';
  const { laid, diagnostics } = layBodies(bodies.filter(isBody), form, words, trigger);
  const large = bodies.filter((body) => !isBody(body)).map(({ file }) => file);
  const paths = layPathLines(large, form.oversized, PATH_RULE, trigger);
  const layout = inTag(form.tag, lay(intro, trigger), '\n', laid, paths);
  return { layout, diagnostics };
}

/**
 * One reminder for one file outside the chain: found in a directory that was touched, or linked (seed 004). A file too
 * large for a body is named by its path. The form's words say why it comes.
 */
export function fileReminder(
  file: FoundFile,
  text: string | Omit<ReminderBody, 'file'>,
  form: ChainForm,
  trigger: Trigger,
  reason: FileReason,
): { reminder: Reminder; diagnostics: Diagnostic[] } {
  const body: ReminderBody = typeof text === 'string' ? { file, text } : { file, ...text };
  const name = reason === 'discovery' ? 'discovery' : 'linked';
  const words = form[name];
  const intro =
    typeof reason === 'string' ? introPiece(`${name}/intro`, words.intro) : linkedIntro(form, reason.linkedFrom);
  const { layout, diagnostics } = framed([body], form, words, intro, trigger);
  return { reminder: { reason: name, layout }, diagnostics };
}

/**
 * One reminder with files that were sent and are other ones now, in the order given: it takes the place of what was
 * sent before. At least one.
 */
export function reloadReminder(
  bodies: readonly ReminderBody[],
  form: ChainForm,
): { reminder: Reminder; diagnostics: Diagnostic[] } {
  const intro = introPiece('reload/intro', form.reloaded.intro);
  const { layout, diagnostics } = framed(bodies, form, form.reloaded, intro, 'reload');
  return { reminder: { reason: 'reload', layout }, diagnostics };
}
