import type { Diagnostic } from '../base/index.ts';
import type { Delivery, FoundFile, Laid, Piece, Reminder, SessionState, Trigger } from '../model/index.ts';
import { inTag, joinLaid, lay } from './layout.ts';
import { guidancePiece, makePiece } from './piece.ts';
import { type BodyTags, type FileWords, layBodies, pathLine, type ReminderBody } from './reminder-body.ts';

/** The words of the reminders with instruction files; `intro` and `rule` are those of the chain's. */
export type ChainForm = BodyTags &
  FileWords & {
    /** Said too where another chain was delivered before in this context. */
    supersedes: string;
    /** Said where the chain was not empty and now is. */
    emptied: string;
    /** Said before the paths of members too large to send. */
    oversized: string;
    /** Of a file in a directory that was touched. */
    discovery: FileWords;
    /** Of a file that is linked. `from`: said before the path of the file that links to it, a full stop after it. */
    linked: FileWords & { from: string };
    /** Of files that were edited since they were sent. */
    reloaded: FileWords;
  };

export type ChainState = {
  /** Real paths, in chain order. */
  paths: readonly string[];
  due: boolean;
  trigger: Trigger;
};

/**
 * Whether the chain goes out now. It is known by the real paths of its members alone (seed 004): one that joined or
 * left makes it due, an edit never does, nor does another order. At the start of a context it is always due.
 */
export function chainDue(session: SessionState, files: readonly FoundFile[]): ChainState {
  const paths = files.map((file) => file.realPath);
  const { chain } = session.delivery;
  if (chain === null) {
    return { paths, due: true, trigger: session.usage.requests === 0 ? 'chain-changed' : 'context-reset' };
  }
  const before = new Set(chain);
  const same = before.size === new Set(paths).size && paths.every((path) => before.has(path));
  return { paths, due: !same, trigger: 'chain-changed' };
}

function layPaths(files: readonly FoundFile[], form: ChainForm, trigger: Trigger): Laid {
  if (files.length === 0) return [];
  const piece = makePiece({
    id: 'chain/paths',
    kind: 'path-list',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'Instruction files too large to send with every conversation: their paths go out instead of their text.',
    requirement: 'P27',
    text: `${form.oversized}\n${files.map(pathLine).join('\n')}`,
  });
  return joinLaid('\n', lay(piece, trigger), '\n');
}

function introPiece(text: string): Piece {
  const rule = 'Says what the instruction files in this message are and which of them wins.';
  return guidancePiece('chain/intro', rule, text);
}

/**
 * One reminder with every body of the chain, in order (seed 004). Members too large for a body are named by their
 * paths. An empty chain has no reminder, unless it takes back one that was delivered before. Callers ask `chainDue`
 * first.
 */
export function chainReminder(
  members: readonly ReminderBody[],
  delivered: Delivery,
  trigger: Trigger,
  form: ChainForm,
): { reminder: Reminder | null; diagnostics: Diagnostic[] } {
  const before = delivered.chain !== null && delivered.chain.length > 0;
  if (members.length === 0 && !before) return { reminder: null, diagnostics: [] };
  const withText = members.filter(({ file }) => file.status !== 'path-only');
  const bodies = layBodies(withText, form, form, trigger);
  const large = members.map(({ file }) => file).filter((file) => file.status === 'path-only');
  const paths = layPaths(large, form, trigger);
  const intro = members.length === 0 ? form.emptied : before ? `${form.intro} ${form.supersedes}` : form.intro;
  const layout = inTag(form.tag, lay(introPiece(intro), trigger), '\n', bodies.laid, paths);
  return { reminder: { reason: 'chain', layout }, diagnostics: bodies.diagnostics };
}

/** Delivered files whose contents on disk are other ones now: told to the person, not sent again (seed 004). */
export function editedSince(delivered: Delivery, files: readonly FoundFile[]): Diagnostic[] {
  return files.flatMap((file): Diagnostic[] => {
    const sent = delivered.files[file.realPath];
    if (sent === undefined || sent.sha256 === file.sha256) return [];
    return [
      {
        severity: 'info',
        code: 'instructions/edited-since',
        message: 'changed on disk since it was sent; the conversation keeps what it was sent',
        path: file.path,
        data: { sent: sent.sha256, found: file.sha256 },
      },
    ];
  });
}
