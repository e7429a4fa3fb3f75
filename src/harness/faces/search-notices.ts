import { unreachable } from '../../base/index.ts';
import type { SearchGaps, SearchStop } from '../../tools/contract/index.ts';
import { grouped } from './face.ts';

/** Why there may be more than is shown, as lines in brackets. `more`: what a result that is cut has more of. */
export function searchNotices(stopped: SearchStop | null, gaps: SearchGaps, more: string): string[] {
  const notices: string[] = [];
  if (stopped !== null) notices.push(stopNotice(stopped, more));
  if (gaps.unreadable > 0) notices.push(`[${grouped(gaps.unreadable)} of the files could not be read]`);
  return notices;
}

function stopNotice(stopped: SearchStop, more: string): string {
  switch (stopped) {
    case 'limit':
    case 'size':
      return `[${more}; narrow the search]`;
    case 'time':
      return '[stopped when the time was up: there may be more; narrow the search]';
    case 'extent':
      return '[too much to look at all of it: there may be more; narrow the search]';
    case 'aborted':
      return '[stopped by the user: there may be more]';
    default:
      return unreachable(stopped);
  }
}
