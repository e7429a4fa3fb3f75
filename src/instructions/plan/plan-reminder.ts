import { byteLength, sha256 } from '../../base/index.ts';
import type { Laid, Plan, PlanEdit, Reminder, SessionState, Trigger } from '../../model/index.ts';
import { neutraliseClosingTags } from '../closing-tag.ts';
import { inTag, lay } from '../layout.ts';
import { guidancePiece, makePiece } from '../piece.ts';
import { shownPath } from '../references/shown-path.ts';

/** Ids of the pieces that bring the plan. Their `fileSha256` is the hash of the plan that the model then has. */
export const PLAN_ID = 'plan';
export const PLAN_EDIT_ID = 'plan-edit';

/** Replacements that are told as such; more, and the whole is shorter to read. */
const MAX_EDITS = 16;

/** Tags of both reminders: a replacement is to show a text as the whole plan does. */
const TAGS = ['plan', 'replace', 'old', 'new'] as const;

/** The words around a plan. `tag`: of the reminder. */
export type PlanForm = {
  tag: string;
  /** Said before the whole plan, a path after it where there is one. */
  whole: string;
  /** Said before replacements. */
  edited: string;
};

/**
 * What the model is missing of the plan (rows P37 to P41): nothing, the replacements since the text that it has, or the
 * whole. It is worked out from what this context was given, so a compaction, a clear that carries the plan, a rewind
 * and a resume all bring it back where it is out of sight.
 */
export function planReminder(
  { plan, delivery }: Pick<SessionState, 'plan' | 'delivery'>,
  form: PlanForm,
): Reminder | null {
  if (plan === null) return null;
  const hash = sha256(plan.text);
  if (delivery.plan === hash) return null;
  const edits = editsSince(plan, delivery.plan);
  const layout = edits === null ? wholePlan(plan, hash, form, triggerOf(delivery)) : editedPlan(edits, hash, form);
  return { reason: 'plan', layout };
}

function triggerOf({ plan, began }: SessionState['delivery']): Trigger {
  return plan === null && began !== 'start' ? 'context-reset' : 'plan-change';
}

/** Null: the model has no text that these edits lead from, or the whole is the shorter word. */
function editsSince({ text, changes }: Plan, seen: string | null): readonly PlanEdit[] | null {
  const from = changes.findIndex(({ before }) => before === seen);
  if (seen === null || from < 0) return null;
  const edits = changes.slice(from).flatMap((change) => change.edits);
  const bytes = edits.reduce((sum, { old, new: replacement }) => sum + byteLength(old) + byteLength(replacement), 0);
  return edits.length <= MAX_EDITS && bytes < byteLength(text) ? edits : null;
}

const INTRO_RULE = 'Says what the plan in this message is.';

function neutral(text: string, tag: string): string {
  return neutraliseClosingTags(text, [tag, ...TAGS]).text;
}

function wholePlan({ text, path }: Plan, hash: string, { tag, whole }: PlanForm, trigger: Trigger): Laid {
  const sent = neutral(text, tag);
  const piece = makePiece({
    id: PLAN_ID,
    kind: 'plan',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'The whole plan goes into the history when it was written, and whenever it is out of sight.',
    requirement: 'P37',
    text: sent,
    fileSha256: hash,
  });
  const place = path === '' ? '' : ` path="${shownPath(path)}"`;
  return inTag(
    tag,
    lay(guidancePiece('plan/intro', INTRO_RULE, whole), trigger),
    `\n\n<plan${place}>\n`,
    lay(piece, trigger),
    `${sent.endsWith('\n') ? '' : '\n'}</plan>\n`,
  );
}

function editedPlan(edits: readonly PlanEdit[], hash: string, { tag, edited }: PlanForm): Laid {
  const text = edits
    .map(({ old, new: replacement, all }) => {
      const where = all === true ? ' all="true"' : '';
      const [from, to] = [neutral(old, tag), neutral(replacement, tag)];
      return `<replace${where}>\n<old>\n${from}\n</old>\n<new>\n${to}\n</new>\n</replace>`;
    })
    .join('\n');
  const piece = makePiece({
    id: PLAN_EDIT_ID,
    kind: 'plan',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'An edit of the plan goes into the history as replacements in the latest whole plan.',
    requirement: 'P38',
    text,
    fileSha256: hash,
  });
  return inTag(
    tag,
    lay(guidancePiece('plan/edited', INTRO_RULE, edited), 'plan-change'),
    '\n\n',
    lay(piece, 'plan-change'),
    '\n',
  );
}
