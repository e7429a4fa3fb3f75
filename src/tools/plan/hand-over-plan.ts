import type { HandoffArgs, HandoffValue, ToolContext, ToolOutcome } from '../contract/index.ts';

/** Asks a person whether the plan is to be carried out; what follows from a yes is done after the batch. */
export async function handOverPlan(
  { facet }: HandoffArgs,
  { state, ask }: ToolContext,
): Promise<ToolOutcome<HandoffValue>> {
  const { plan } = state;
  if (plan === null) {
    return {
      error: { code: 'handoff/no-plan', message: 'There is no plan to hand over: write one first.' },
      observed: [],
    };
  }
  const path = plan.path === '' ? null : plan.path;
  const answer = await ask.handoff({ plan: plan.text, path, facet });
  if (answer.type === 'aborted') return { value: { decision: 'aborted', facet, path }, observed: [] };
  if (answer.type === 'nobody') return { value: { decision: null, facet, path }, observed: [] };
  const { decision, feedback } = answer;
  const value = { decision, facet, path, ...(feedback === undefined ? {} : { feedback }) };
  switch (decision) {
    case 'new-context':
      return { value, observed: [], after: { type: 'new-context', facet } };
    case 'current-context':
      return { value, observed: [], after: { type: 'facet', facet } };
    default:
      return { value, observed: [] };
  }
}
