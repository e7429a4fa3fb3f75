import type { Diagnostic } from '../base/index.ts';
import type { Delivery, FoundFile, Laid, Reminder, SessionState, Trigger } from '../model/index.ts';
import { closingTagDiagnostic, neutraliseClosingTags } from './closing-tag.ts';
import { joinLaid, lay } from './layout.ts';
import { filePiece, makePiece, shippedPiece } from './piece.ts';

export type ChainForm = {
  /** The tag around the reminder; the program's own, so a body's closing tag of this name is neutralised. */
  tag: string;
  /** The tag around each body. */
  bodyTag: string;
  /** Said before the bodies. */
  intro: string;
  /** Said too where another chain was delivered before in this context. */
  supersedes: string;
  /** Said where the chain was not empty and now is. */
  emptied: string;
  /** Said before the paths of members too large to send. */
  oversized: string;
  rule: string;
  requirement?: string;
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

/** A path inside a tag's attribute or a list: on one line, and unable to close what it stands in. */
function shownPath(path: string): string {
  return path.replace(/[\p{Cc}\u2028\u2029"<>&]/gu, (unit) => `&#x${(unit.codePointAt(0) ?? 0).toString(16)};`);
}

function layBodies(
  files: readonly FoundFile[],
  form: ChainForm,
  trigger: Trigger,
): { laid: Laid; diagnostics: Diagnostic[] } {
  const diagnostics: Diagnostic[] = [];
  const requirement = form.requirement === undefined ? {} : { requirement: form.requirement };
  const parts = files.flatMap((file): (Laid | string)[] => {
    const { text, lines } = neutraliseClosingTags(file.text, [form.tag, form.bodyTag]);
    if (lines.length > 0) diagnostics.push(closingTagDiagnostic(file.path, lines));
    const piece = filePiece(file, {
      kind: 'context-file',
      placement: 'history',
      rule: form.rule,
      text,
      ...requirement,
    });
    const end = text.endsWith('\n') ? '' : '\n';
    return [
      `\n<${form.bodyTag} path="${shownPath(file.realPath)}">\n`,
      lay(piece, trigger),
      `${end}</${form.bodyTag}>\n`,
    ];
  });
  return { laid: joinLaid(...parts), diagnostics };
}

function layPaths(files: readonly FoundFile[], form: ChainForm, trigger: Trigger): Laid {
  if (files.length === 0) return [];
  const lines = files.map((file) => `- ${shownPath(file.realPath)} (${file.size} bytes)`);
  const piece = makePiece({
    id: 'chain/paths',
    kind: 'path-list',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'Instruction files too large to send with every conversation: their paths go out instead of their text.',
    requirement: 'P27',
    text: `${form.oversized}\n${lines.join('\n')}`,
  });
  return joinLaid('\n', lay(piece, trigger), '\n');
}

function introPiece(text: string): ReturnType<typeof makePiece> {
  return shippedPiece({
    id: 'chain/intro',
    kind: 'guidance',
    placement: 'history',
    rule: 'Says what the instruction files in this message are and which of them wins.',
    text,
  });
}

/**
 * One reminder with every body of the chain, in order (seed 004). Members too large for a body are named by their
 * paths. An empty chain has no reminder, unless it takes back one that was delivered before. Callers ask `chainDue`
 * first.
 */
export function chainReminder(
  files: readonly FoundFile[],
  delivered: Delivery,
  trigger: Trigger,
  form: ChainForm,
): { reminder: Reminder | null; diagnostics: Diagnostic[] } {
  const before = delivered.chain !== null && delivered.chain.length > 0;
  if (files.length === 0 && !before) return { reminder: null, diagnostics: [] };
  const bodies = layBodies(
    files.filter((file) => file.status !== 'path-only'),
    form,
    trigger,
  );
  const paths = layPaths(
    files.filter((file) => file.status === 'path-only'),
    form,
    trigger,
  );
  const intro = files.length === 0 ? form.emptied : before ? `${form.intro} ${form.supersedes}` : form.intro;
  const layout = joinLaid(
    `<${form.tag}>\n`,
    lay(introPiece(intro), trigger),
    '\n',
    bodies.laid,
    paths,
    `</${form.tag}>`,
  );
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
