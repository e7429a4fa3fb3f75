import { sha256 } from '../../base/index.ts';
import type { Event, EventOf, Fold, Folded, Plan } from '../../model/index.ts';

// The folds whose state is what the last event of one type said.

/** Values frozen for the conversation; neither a clear nor a compaction thaws them. */
export const pinsFold: Fold<Folded['pins']> = {
  name: 'pins',
  checkpoint: 'carried',
  initial: () => ({}),
  step(state: Folded['pins'], event: Event): Folded['pins'] {
    if (event.type !== 'pin' || state[event.name] === event.value) return state;
    return { ...state, [event.name]: event.value };
  },
};

const EVERYTHING: Folded['narrowing'] = { allow: null, deny: [] };

/** Which tools are offered: the last `tools` event replaces all earlier ones, what it leaves out is not narrowed. */
export const narrowingFold: Fold<Folded['narrowing']> = {
  name: 'narrowing',
  checkpoint: 'carried',
  initial: () => EVERYTHING,
  step(state: Folded['narrowing'], event: Event): Folded['narrowing'] {
    return event.type === 'tools' ? { allow: event.allow ?? null, deny: event.deny ?? [] } : state;
  },
};

export const directoriesFold: Fold<Folded['directories']> = {
  name: 'directories',
  checkpoint: 'carried',
  initial: (header) => [header.cwd],
  step(state: Folded['directories'], event: Event): Folded['directories'] {
    return event.type === 'directory' && event.stack.length > 0 ? event.stack : state;
  },
};

/** Todos survive a clear and a compaction (spec/polytoken.md 10.1.4). */
export const todosFold: Fold<Folded['todos']> = {
  name: 'todos',
  checkpoint: 'carried',
  initial: () => [],
  step(state: Folded['todos'], event: Event): Folded['todos'] {
    return event.type === 'todos' ? event.items : state;
  },
};

/** Edits that are remembered since the plan was last written; beyond that it is told whole. */
const MAX_CHANGES = 64;

function planAfter(before: Folded['plan'], { op, path, text, edits = [] }: EventOf<'plan'>): Plan {
  if (op === 'write' || before === null || edits.length === 0) return { path, text, changes: [] };
  const changes = [...(before.changes ?? []), { before: sha256(before.text), edits }];
  return { path, text, changes: changes.slice(-MAX_CHANGES) };
}

/** The plan as a whole after its last change. A clear drops it unless it names it: then it is carried over. */
export const planFold: Fold<Folded['plan']> = {
  name: 'plan',
  checkpoint: 'carried',
  initial: () => null,
  step(state: Folded['plan'], event: Event): Folded['plan'] {
    if (event.type === 'plan') return planAfter(state, event);
    return event.type === 'clear' && event.plan === null ? null : state;
  },
};

export const planModeFold: Fold<Folded['planMode']> = {
  name: 'planMode',
  checkpoint: 'carried',
  initial: () => null,
  step(state: Folded['planMode'], event: Event): Folded['planMode'] {
    return event.type === 'plan-mode' ? { on: event.on, file: event.file } : state;
  },
};
