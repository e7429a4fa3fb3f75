import type { Event, Fold, Folded } from '../../model/index.ts';

/** `task/<id>`: the key of a reminder that tells of a task's end. */
export const TASK_KEY = 'task/';

/** Ids that are remembered; a task of a longer ago session has long been told. */
const MAX_TOLD = 4096;

const NONE: readonly string[] = [];

function withTold(told: readonly string[], tasks: readonly string[]): readonly string[] {
  const more = tasks.filter((task) => !told.includes(task));
  return more.length === 0 ? told : [...told, ...more].slice(-MAX_TOLD);
}

/** Tasks whose end the model was told: by a reminder, or by the result of a call. Once told, whatever is cut away. */
export const toldFold: Fold<Folded['told']> = {
  name: 'told',
  checkpoint: 'carried',
  initial: () => NONE,
  step(state: Folded['told'], event: Event): Folded['told'] {
    if (event.type === 'task-told') return withTold(state, event.tasks);
    if (event.type !== 'reminder' || event.key?.startsWith(TASK_KEY) !== true) return state;
    return withTold(state, [event.key.slice(TASK_KEY.length)]);
  },
};

/** What a subagent gave since its caller last asked. */
export const givenFold: Fold<Folded['given']> = {
  name: 'given',
  checkpoint: 'carried',
  initial: () => null,
  step(state: Folded['given'], event: Event): Folded['given'] {
    if (event.type === 'agent-result') return event.value;
    return event.type === 'prompt' && event.from === 'parent' ? null : state;
  },
};
