import { join } from 'node:path';
import type { ToolFailure } from '../../model/index.ts';
import type { PlanModeArgs, PlanModeValue, ToolContext, ToolOutcome } from '../contract/index.ts';

type Outcome = ToolOutcome<PlanModeValue>;

const FILE = 'plan.md';
const YES = 'Yes';
const NO = 'No';
const REJECT = 'Reject';
const LEAVE = 'Reject and Exit';
/** Of a plan that is shown with a choice of ways. */
const MOST_SHOWN = 20_000;

function failed(
  code: string,
  message: string,
  data: Record<string, unknown> = {},
): { error: ToolFailure; observed: [] } {
  return { error: { code, message, data }, observed: [] };
}

/** Begins plan mode, or ends it with a person's word on the plan. */
export function changePlanMode(args: PlanModeArgs, context: ToolContext): Promise<Outcome> {
  return args.action === 'enter' ? enter(context) : leave(args.options, context);
}

async function enter({ state, ask, spillDirectory }: ToolContext): Promise<Outcome> {
  if (state.planMode?.on === true) {
    return failed('plan-mode/on', `Already in plan mode. The plan file is ${state.planMode.file}.`);
  }
  if (spillDirectory === null) {
    return failed('plan-mode/no-place', 'Plan mode needs a session that is kept: there is no place for a plan file.');
  }
  const file = join(spillDirectory, FILE);
  const question = { question: 'Enter plan mode?', options: [{ label: YES }, { label: NO }] };
  const answer = await ask.ask(question);
  if (answer.type === 'aborted') return { value: { outcome: 'dismissed', file }, observed: [] };
  // It takes away and gives nothing: where nobody is there it needs no yes.
  const isYes = answer.type === 'nobody' || answer.value === YES;
  if (!isYes) return { value: { outcome: 'declined', file }, observed: [] };
  return {
    value: { outcome: 'entered', file },
    observed: [],
    events: [{ type: 'plan-mode', on: true, file, by: 'model' }],
  };
}

async function leave(
  options: readonly { label: string; description: string }[],
  context: ToolContext,
): Promise<Outcome> {
  const { state } = context;
  const mode = state.planMode;
  if (mode?.on !== true) return failed('plan-mode/off', 'Plan mode is not on: EnterPlanMode begins it.');
  const text = state.plan?.text ?? '';
  if (text.trim() === '') {
    return failed('plan-mode/no-plan', `There is no plan yet. Write it to ${mode.file} first.`);
  }
  const decided = options.length >= 2 ? await choose(text, options, context) : await approve(text, mode.file, context);
  const value = { ...decided, file: mode.file, plan: text };
  if (decided.outcome !== 'approved' && decided.outcome !== 'left') return { value, observed: [] };
  const by = decided.byFlag === true ? 'user' : 'model';
  return { value, observed: [], events: [{ type: 'plan-mode', on: false, file: mode.file, by }] };
}

type Decided = Pick<PlanModeValue, 'outcome' | 'option' | 'feedback'> & { byFlag?: true };

/** As any plan is handed over: what was said beforehand counts. */
async function approve(plan: string, path: string, { ask }: ToolContext): Promise<Decided> {
  const answer = await ask.handoff({ plan, path, facet: '' });
  if (answer.type !== 'decision') return { outcome: answer.type === 'nobody' ? 'nobody' : 'dismissed' };
  const { decision, feedback = '' } = answer;
  switch (decision) {
    case 'new-context':
    case 'current-context':
      return { outcome: 'approved', ...(answer.by === 'flag' ? { byFlag: true as const } : {}) };
    case 'cancel':
      return { outcome: 'left' };
    case 'refuse':
      return feedback.trim() === '' ? { outcome: 'rejected' } : { outcome: 'revise', feedback: feedback.trim() };
  }
}

/** Several ways to do it: a person takes one of them, or says what is to be different. */
async function choose(
  plan: string,
  options: readonly { label: string; description: string }[],
  { ask }: ToolContext,
): Promise<Decided> {
  const shown = plan.length > MOST_SHOWN ? `${plan.slice(0, MOST_SHOWN).toWellFormed()}\n[…]` : plan;
  const answer = await ask.ask({
    question: `Approve this plan, by which way?\n\n${shown}`,
    options: [
      ...options.map(({ label, description }) => ({ label, description })),
      { label: REJECT },
      { label: LEAVE },
    ],
  });
  if (answer.type !== 'answer') return { outcome: answer.type === 'nobody' ? 'nobody' : 'dismissed' };
  const said = typeof answer.value === 'string' ? answer.value : answer.value.join(', ');
  if (said === REJECT) return { outcome: 'rejected' };
  if (said === LEAVE) return { outcome: 'left' };
  const option = options.find(({ label }) => label === said);
  return option === undefined ? { outcome: 'revise', feedback: said } : { outcome: 'approved', option: option.label };
}
