import { join } from 'node:path';
import { byteLength } from '../../base/index.ts';
import { FileError } from '../../host/index.ts';
import type { PlanEdit, ToolFailure } from '../../model/index.ts';
import type { EditPlanArgs, PlanValue, ToolContext, ToolOutcome, WritePlanArgs } from '../contract/index.ts';

/** Far more than a plan that anybody reads. */
const MAX_BYTES = 256 * 1024;
const FILE = 'plan.md';

type Outcome = ToolOutcome<PlanValue>;
type Changed = { text: string; edits: PlanEdit[]; replacements: number };

function failed(code: string, message: string): { error: ToolFailure; observed: [] } {
  return { error: { code, message }, observed: [] };
}

function tooLarge(): { error: ToolFailure; observed: [] } {
  return failed('plan/too-large', `The plan would be larger than ${MAX_BYTES / 1024} KiB. Nothing was changed.`);
}

/** Puts a plan in place of the one there is, if any. */
export function writePlan({ text: given, append }: WritePlanArgs, context: ToolContext): Promise<Outcome> {
  const text = append === true ? `${context.state.plan?.text ?? ''}${given}` : given;
  if (text.trim() === '') return Promise.resolve(failed('plan/empty', 'The plan is empty. Nothing was changed.'));
  return keep({ op: 'write', text: text.toWellFormed() }, context);
}

/** Changes the plan there is: all replacements, or none. */
export async function editPlan({ edits, misses }: EditPlanArgs, context: ToolContext): Promise<Outcome> {
  const { plan } = context.state;
  if (plan === null) return failed('plan/none', 'There is no plan yet: write one with write_plan.');
  const changed = applyEdits(plan.text, edits, misses === 'ignored');
  if ('error' in changed) return changed;
  if (changed.text === plan.text) return failed('plan/no-change', 'The edits leave the plan as it is.');
  // What a log says of an edit holds for one that is unique; any other is kept by its outcome.
  if (edits.some(({ first }) => first === true)) {
    return keep({ op: 'write', text: changed.text, replacements: changed.replacements }, context);
  }
  return keep({ op: 'edit', text: changed.text, edits: changed.edits, replacements: changed.replacements }, context);
}

function applyEdits(
  plan: string,
  edits: EditPlanArgs['edits'],
  passMisses: boolean,
): Changed | { error: ToolFailure; observed: [] } {
  let text = plan;
  let replacements = 0;
  const made: PlanEdit[] = [];
  for (const [index, given] of edits.entries()) {
    const [old, replacement] = [given.old.toWellFormed(), given.new.toWellFormed()];
    const name = edits.length === 1 ? 'The old text' : `The old text of edit ${index + 1}`;
    if (old === '') return failed('plan/empty-old', `${name} is empty. Nothing was changed.`);
    const at = text.indexOf(old);
    if (at < 0 && passMisses) continue;
    if (at < 0) return failed('plan/not-found', `${name} is not in the plan as it is now. Nothing was changed.`);
    // Overlapping ones count: the model, which makes the replacement too, could not tell which is meant.
    if (given.all !== true && given.first !== true && text.indexOf(old, at + 1) >= 0) {
      return failed(
        'plan/not-unique',
        `${name} occurs more than once: give more of it, or set all. Nothing was changed.`,
      );
    }
    const parts = given.all === true ? text.split(old) : [text.slice(0, at), text.slice(at + old.length)];
    const count = parts.length - 1;
    // Before it is made: each edit can make the text many times as long.
    if (byteLength(text) + count * (byteLength(replacement) - byteLength(old)) > MAX_BYTES) return tooLarge();
    text = parts.join(replacement);
    replacements += count;
    made.push({ old, new: replacement, ...(given.all === true ? { all: true as const } : {}) });
  }
  return { text, edits: made, replacements };
}

type Change =
  | { op: 'write'; text: string; replacements?: number }
  | { op: 'edit'; text: string; edits: PlanEdit[]; replacements: number };

/** The log is what counts; the file shows the plan to people. One that cannot be written is told before anything is. */
async function keep(change: Change, { host, spillDirectory }: ToolContext): Promise<Outcome> {
  const { op, text } = change;
  if (byteLength(text) > MAX_BYTES) return tooLarge();
  const path = spillDirectory === null ? null : join(spillDirectory, FILE);
  if (spillDirectory !== null && path !== null) {
    try {
      await host.files.makeDirectory(spillDirectory, { mode: 0o700 });
      await host.files.writeWhole(path, text, { mode: 0o600 });
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      return failed('plan/not-written', `The plan's file cannot be written: ${error.message}. Nothing was changed.`);
    }
  }
  const edits = op === 'edit' ? { edits: change.edits } : {};
  return {
    value: { path, lines: text.split('\n').length, size: byteLength(text), replacements: change.replacements ?? null },
    observed: [],
    events: [{ type: 'plan', op, path: path ?? '', text, ...edits }],
  };
}
