import type { Delivery, Event, EventOf, Fold, FoldLookup } from '../model/index.ts';

const NOTHING: Delivery = { chain: null, files: {}, keys: [] };

const FILE_ID = 'context-file:';

function stepReminder(state: Delivery, event: EventOf<'reminder'>, lookup: FoldLookup): Delivery {
  const files: Record<string, { event: string; sha256: string }> = {};
  for (const item of event.layout) {
    if (!('piece' in item) || !item.piece.startsWith(FILE_ID)) continue;
    const piece = lookup.piece(item.piece);
    if (piece?.kind !== 'context-file') continue;
    files[piece.id.slice(FILE_ID.length)] = { event: event.id, sha256: piece.fileSha256 ?? piece.sha256 };
  }
  const newKey = event.key !== undefined && !state.keys.includes(event.key);
  if (Object.keys(files).length === 0 && !newKey) return state;
  return {
    chain: state.chain,
    files: { ...state.files, ...files },
    keys: newKey ? [...state.keys, event.key as string] : state.keys,
  };
}

/**
 * What the model was given of the user's instruction files in this context. A clear and a compaction begin a new one:
 * whatever a kept tail still shows counts as not delivered. A body counts by its piece, never by its text.
 */
export const deliveryFold: Fold<Delivery> = {
  name: 'delivery',
  checkpoint: 'carried',
  initial: () => NOTHING,
  step(state: Delivery, event: Event, lookup: FoldLookup): Delivery {
    switch (event.type) {
      case 'chain':
        return { ...state, chain: event.paths };
      case 'reminder':
        return stepReminder(state, event, lookup);
      case 'clear':
      case 'compaction':
        return NOTHING;
      default:
        return state;
    }
  },
};
