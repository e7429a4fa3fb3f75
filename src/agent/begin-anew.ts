import { makeCheckpoint } from '../session/index.ts';
import type { AgentParts } from './parts.ts';
import { writeChoice } from './run-choices.ts';

/** The conversation so far stays in the log; what follows begins a new one, in the same facet and directory. */
export function beginAnew({ log }: AgentParts, withPlan: boolean): void {
  const state = log.state();
  log.append({
    type: 'clear',
    facet: state.choices.facet,
    plan: withPlan ? (state.plan?.path ?? null) : null,
    checkpoint: makeCheckpoint(state),
  });
}

/** A person approved the plan: it is carried out in that facet, in a conversation of its own or in this one. */
export function takePlanOver(parts: AgentParts, then: { type: 'new-context' | 'facet'; facet: string }): void {
  writeChoice(parts.log, 'facet', then.facet, 'handoff');
  if (then.type === 'new-context') beginAnew(parts, true);
}
