import { compareCodePoints } from '../../base/index.ts';
import type { GlobArgs, GlobValue, ToolFace } from '../../tools/contract/index.ts';
import { grouped, makeFace } from '../faces/face.ts';
import { searchNotices } from '../faces/search-notices.ts';
import { shownPath } from '../faces/shown-path.ts';
import { enginePattern } from './kli-pattern.ts';

/** Executor `glob` as kli's `find` (spec/kli.md 12.1, 12.2): hidden and ignored names too, directories too. */
export function findFace(words: { name: string; description: string }): ToolFace {
  return makeFace<GlobArgs, GlobValue>({
    ...words,
    executor: 'glob',
    parameters: [{ name: 'pattern', type: 'string', required: true, description: 'For example `src/**/*.lisp`.' }],
    toArgs(given) {
      const { pattern } = given as { pattern: string };
      return { args: { pattern: enginePattern(pattern), ignored: true, directories: true } };
    },
    toText({ root, entries, total, stopped, gaps }) {
      const names = entries.map(({ path, directory }) => `${shownPath(root, path, null)}${directory ? '/' : ''}`);
      const notices = searchNotices(stopped, gaps, `${grouped(total - entries.length)} more`);
      if (names.length === 0) notices.unshift('(no matches)');
      return [...names.sort(compareCodePoints), ...notices].join('\n');
    },
  });
}
