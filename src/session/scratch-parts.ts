import type { SessionState } from '../model/index.ts';
import type { LogParts } from './event-log.ts';
import { LogIndex } from './log-index.ts';
import { MemoryStorage, StorageSlot } from './log-storage.ts';
import { StoredTexts } from './stored-texts.ts';

/** What a preview's log is made of: its own lines in memory, on top of what the real one holds. */
export function scratchParts(of: LogParts, index: LogIndex, state: SessionState): LogParts {
  const slot = new StorageSlot(new MemoryStorage());
  let count = 0;
  return {
    ...of,
    path: null,
    makeId: () => {
      count += 1;
      return `preview-${count}`;
    },
    slot,
    index: new LogIndex(new StoredTexts(slot, index.texts), index),
    headerDue: false,
    continues: true,
    state,
    open: null,
    beforeClose: async () => {},
    release: async () => {},
  };
}
