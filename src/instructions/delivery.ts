import type { Delivery, Event, EventOf, Fold, FoldLookup } from '../model/index.ts';
import { isTextFile } from './references/text-file.ts';

/** Before anything went out. */
export const NOTHING_DELIVERED: Delivery = {
  chain: null,
  files: {},
  keys: [],
  began: 'start',
  plan: null,
  kept: {},
  used: [],
  skills: [],
};

/** Beginnings of the ids of pieces that give a file: its text, or its path where the text is too large. */
const GIVEN = ['context-file', 'path-list'] as const;

/** Paths kept for a read alone; what is read beyond that may be sent as well. */
const MAX_READ = 1024;

type Given = { event: string; sha256: string };

function stepReminder(state: Delivery, event: EventOf<'reminder'>, lookup: FoldLookup): Delivery {
  const files: Record<string, Given> = {};
  for (const item of event.layout) {
    if (!('piece' in item)) continue;
    const kind = GIVEN.find((name) => item.piece.startsWith(`${name}:`));
    const piece = kind === undefined ? undefined : lookup.piece(item.piece);
    if (kind === undefined || piece?.kind !== kind) continue;
    files[piece.id.slice(kind.length + 1)] = { event: event.id, sha256: piece.fileSha256 ?? piece.sha256 };
  }
  const newKey = event.key !== undefined && !state.keys.includes(event.key);
  if (Object.keys(files).length === 0 && !newKey) return state;
  return {
    ...state,
    files: { ...state.files, ...files },
    keys: newKey ? [...state.keys, event.key as string] : state.keys,
  };
}

/**
 * A file that was read from its first to its last line, with line numbers or without, has been given (seed 004), and a
 * part of it read later takes nothing back. Only files that could be instructions are kept: files of prose.
 */
function stepRead(state: Delivery, event: EventOf<'tool-result'>): Delivery {
  if (event.status !== 'ok') return state;
  const read = event.observed.filter(({ how, complete, path }) => how === 'read' && complete && isTextFile(path));
  const isNew = read.some(({ path, sha256 }) => state.files[path]?.sha256 !== sha256);
  if (!isNew) return state;
  const files: Record<string, Given> = { ...state.files };
  let count = Object.keys(files).length;
  for (const { path, sha256 } of read) {
    const known = files[path];
    if (known?.sha256 === sha256 || (known === undefined && count >= MAX_READ)) continue;
    if (known === undefined) count += 1;
    files[path] = { event: event.id, sha256 };
  }
  return { ...state, files };
}

/**
 * What the model was given of the user's instruction files in this context. A clear and a compaction begin a new one:
 * whatever a kept tail still shows counts as not delivered. A file counts by its piece, never by its text.
 */
export const deliveryFold: Fold<Delivery> = {
  name: 'delivery',
  checkpoint: 'carried',
  initial: () => NOTHING_DELIVERED,
  step(state: Delivery, event: Event, lookup: FoldLookup): Delivery {
    switch (event.type) {
      case 'chain':
        return { ...state, chain: event.paths };
      case 'reminder':
        return stepReminder(state, event, lookup);
      case 'tool-result':
        return stepRead(state, event);
      case 'clear':
      case 'compaction':
        return { ...NOTHING_DELIVERED, used: state.used, skills: state.skills, began: event.type };
      default:
        return state;
    }
  },
};
