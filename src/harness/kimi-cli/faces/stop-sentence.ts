import type { SearchStop } from '../../../tools/contract/index.ts';

/** Why a search saw less than there is; null: it did not, or its numbers say so already. */
export function stopSentence(stopped: SearchStop | null): string | null {
  switch (stopped) {
    case 'time':
      return 'The search was stopped when its 20 seconds were over: there may be more. Narrow it.';
    case 'extent':
      return 'There was too much to look at all of it: there may be more. Narrow the search.';
    case 'aborted':
      return 'The search was stopped by the user: there may be more.';
    default:
      return null;
  }
}
