import type { ChoiceName, Choices, Event, Fold } from '../../model/index.ts';

const UNCHOSEN: Choices = {
  harness: null,
  wire: null,
  model: null,
  effort: null,
  facet: null,
  'permission-mode': null,
};

function choose(state: Choices, name: ChoiceName, to: string): Choices {
  return state[name] === to ? state : { ...state, [name]: to };
}

/** The latest choice of each kind. A clear names the facet that the new context begins with. */
export const choicesFold: Fold<Choices> = {
  name: 'choices',
  checkpoint: 'carried',
  initial: () => UNCHOSEN,
  step(state: Choices, event: Event): Choices {
    switch (event.type) {
      case 'facet':
      case 'model':
      case 'effort':
      case 'wire':
      case 'harness':
      case 'permission-mode':
        return choose(state, event.type, event.to);
      case 'clear':
        return event.facet === null ? state : choose(state, 'facet', event.facet);
      default:
        return state;
    }
  },
};
