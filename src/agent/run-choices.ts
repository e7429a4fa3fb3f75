import { type ChoiceName, type Choices, modelName, type SessionState } from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import type { AgentParts } from './parts.ts';

type RunParts = Pick<AgentParts, 'harness' | 'model' | 'effort' | 'permissionMode' | 'facet'>;

/** What this run was started with and the branch is to say. */
function runChoices({ harness, model, effort, permissionMode, facet }: RunParts): [ChoiceName, string][] {
  const choices: [ChoiceName, string | null][] = [
    ['harness', harness.name],
    ['model', model.info === null ? null : modelName(model.info)],
    ['effort', effort],
    ['permission-mode', permissionMode],
    ['facet', harness.facets === undefined ? null : facet],
  ];
  return choices.filter((choice): choice is [ChoiceName, string] => choice[1] !== null);
}

/** The state as it is once `recordChoices` was called: what is composed must not depend on when that is. */
export function withRunChoices(parts: RunParts, state: SessionState): SessionState {
  const due = runChoices(parts).filter(([name, to]) => state.choices[name] !== to);
  if (due.length === 0) return state;
  const choices: Choices = { ...state.choices, ...Object.fromEntries(due) };
  return { ...state, choices };
}

/**
 * Writes what this run was started with where the branch does not say the same yet. Once a turn; usually nothing. The
 * facet only the first time: from then on it is changed by the session's own events.
 */
export function recordChoices(parts: AgentParts, log: SessionLog): void {
  for (const [name, to] of runChoices(parts)) writeChoice(log, name, to, 'flag');
  if (parts.harness.facets !== undefined) parts.facet = null;
}

export function writeChoice(log: SessionLog, type: ChoiceName, to: string, by: 'user' | 'flag' | 'handoff'): void {
  const from = log.state().choices[type];
  if (from !== to) log.append({ type, from, to, by });
}
