import type { Event, Fold, Folded } from '../../model/index.ts';

type Observed = Folded['observed'];

const NOTHING: Observed = {};

function stepAll(state: Observed, events: readonly Event[]): Observed {
  let changed = false;
  let files = new Map(Object.entries(state));
  for (const event of events) {
    if (event.type === 'clear' || event.type === 'compaction') {
      changed ||= files.size > 0;
      files = new Map();
    } else if (event.type === 'tool-result' && event.observed.length > 0) {
      changed = true;
      for (const observation of event.observed) files.set(observation.path, observation);
    }
  }
  return changed ? Object.fromEntries(files) : state;
}

/** What was last seen of each file in this context. After a boundary the model no longer holds what it saw before. */
export const observedFold: Fold<Observed> = {
  name: 'observed',
  checkpoint: 'carried',
  initial: () => NOTHING,
  step: (state, event) => (isRelevant(event) ? stepAll(state, [event]) : state),
  stepAll,
};

function isRelevant(event: Event): boolean {
  return event.type === 'tool-result' || event.type === 'clear' || event.type === 'compaction';
}
