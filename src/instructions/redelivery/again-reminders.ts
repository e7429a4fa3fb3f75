import type { Diagnostic } from '../../base/index.ts';
import type { FoundFile, Laid, Piece, Reminder, Todo } from '../../model/index.ts';
import type { ChainForm } from '../chain-reminder.ts';
import { inTag, lay } from '../layout.ts';
import { filePiece, guidancePiece, makePiece } from '../piece.ts';
import { shownPath } from '../references/shown-path.ts';
import { type FileWords, layBodies, type ReminderBody } from '../reminder-body.ts';
import type { Candidate } from './select-bodies.ts';

/** The words of what goes out anew after a compaction, with those of the chain. */
export type AgainForm = ChainForm & {
  /** Of files outside the chain that were used before the conversation was made shorter. */
  recent: FileWords;
  /** Said before the paths of files that were used and do not come back with their texts. */
  paths: string;
  /** Said before the names of skills that were loaded before. */
  skillsLoaded: string;
  /** Said before the open todos. */
  todosOpen: string;
};

const TRIGGER = 'context-reset';

/** Files outside the chain that were used lately, with their texts; null: none. */
export function recentReminder(
  bodies: readonly ReminderBody[],
  form: AgainForm,
): { reminder: Reminder | null; diagnostics: Diagnostic[] } {
  if (bodies.length === 0) return { reminder: null, diagnostics: [] };
  const { laid, diagnostics } = layBodies(bodies, form, form.recent, TRIGGER);
  const intro = guidancePiece('recent/intro', 'Says why the files in this message are sent again.', form.recent.intro);
  return { reminder: { reason: 'recent', layout: inTag(form.tag, lay(intro, TRIGGER), '\n', laid) }, diagnostics };
}

/** What is named only counts as not given: the text comes when the model works there, or when it reads the file. */
function pathPiece(file: FoundFile): Piece {
  return makePiece({
    id: `instruction-path:${file.realPath}`,
    kind: 'path-list',
    origin: { type: 'file', path: file.path, scope: file.scope },
    placement: 'history',
    rule: 'An instruction file that was used before the conversation was made shorter, and whose text is not sent again.',
    requirement: 'P53',
    text: `- ${shownPath(file.realPath)}`,
    fileSha256: file.sha256,
  });
}

/** The instruction files that were used and do not come back with their texts; null: none. */
export function pathsReminder(
  paths: readonly { candidate: Candidate; why: string }[],
  form: AgainForm,
): Reminder | null {
  if (paths.length === 0) return null;
  const intro = guidancePiece('paths/intro', 'Says what the paths in this message are.', form.paths);
  const lines = paths.flatMap(({ candidate }): (Laid | string)[] => [lay(pathPiece(candidate.file), TRIGGER), '\n']);
  const { rule } = form;
  return {
    reason: 'paths',
    layout: inTag(form.tag, lay(intro, TRIGGER), '\n', ...lines),
    omitted: paths.map(({ candidate: { file, text }, why }) => ({
      piece: filePiece(file, { kind: 'context-file', placement: 'history', rule, text }),
      why,
    })),
  };
}

/** The names of skills whose texts are out of sight; null: none. */
export function skillsReminder(names: readonly string[], form: AgainForm): Reminder | null {
  if (names.length === 0) return null;
  const piece = makePiece({
    id: 'compaction/skills',
    kind: 'skill-list',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'Of skills that were loaded before the conversation was made shorter the names are kept.',
    requirement: 'P35',
    text: names.join(', '),
  });
  const intro = guidancePiece('compaction/skills-intro', 'Says what the names in this message are.', form.skillsLoaded);
  return { reason: 'skills', layout: inTag(form.tag, lay(intro, TRIGGER), '\n', lay(piece, TRIGGER), '\n') };
}

const MARKS: Readonly<Record<Todo['status'], string>> = { pending: '[ ]', 'in-progress': '[~]', done: '[x]' };

/** What is still to be done; null: nothing is. */
export function todosReminder(todos: readonly Todo[], form: AgainForm): Reminder | null {
  const open = todos.filter(({ status }) => status !== 'done');
  if (open.length === 0) return null;
  const piece = makePiece({
    id: 'compaction/todos',
    kind: 'todos',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'Open todos are told again after the conversation was made shorter.',
    requirement: 'P48',
    text: open.map(({ id, title, status }) => `- ${MARKS[status]} ${id}. ${shownPath(title)}`).join('\n'),
  });
  const intro = guidancePiece('compaction/todos-intro', 'Says what the list in this message is.', form.todosOpen);
  return { reason: 'todos', layout: inTag(form.tag, lay(intro, TRIGGER), '\n', lay(piece, TRIGGER), '\n') };
}
