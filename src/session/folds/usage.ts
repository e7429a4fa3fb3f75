import { addUsage, type Event, type Fold, type Folded, type FoldLookup, NO_USAGE } from '../../model/index.ts';
import { requestOf } from './request-of.ts';

type Spent = Folded['usage'];

const NOTHING: Spent = { last: null, total: NO_USAGE, requests: 0 };

/**
 * Tokens of this branch. `last` is the conversation's latest answer, whose input tells how full the context is: unknown
 * right after a clear or a compaction. `total` and `requests` count every purpose.
 */
export const usageFold: Fold<Spent> = {
  name: 'usage',
  checkpoint: 'carried',
  initial: () => NOTHING,
  step(state: Spent, event: Event, lookup: FoldLookup): Spent {
    switch (event.type) {
      case 'request':
        return { ...state, requests: state.requests + 1 };
      case 'assistant': {
        const ofTurn = (requestOf(event, lookup)?.purpose ?? 'turn') === 'turn';
        return { ...state, last: ofTurn ? event.usage : state.last, total: addUsage(state.total, event.usage) };
      }
      case 'clear':
      case 'compaction':
        return { ...state, last: null };
      default:
        return state;
    }
  },
};
