import type { GrepArgs, GrepValue, ToolFace } from '../../tools/contract/index.ts';
import { makeFace } from '../faces/face.ts';
import { grepText } from '../faces/grep-text.ts';
import { searchNotices } from '../faces/search-notices.ts';
import { shownPath } from '../faces/shown-path.ts';
import { enginePattern, splitPath } from './kli-pattern.ts';

// spec/kli.md 9.8 and 12.4.
const LINE_LENGTH = 500;
const MAX_ROWS = 1000;

/** Executor `grep` as kli's `search` (spec/kli.md 12.4): a file, a directory or a pattern of paths. */
export function searchFace(words: { name: string; description: string }): ToolFace {
  return makeFace<GrepArgs, GrepValue>({
    ...words,
    executor: 'grep',
    parameters: [
      { name: 'pattern', type: 'string', required: true, description: 'The regular expression.' },
      { name: 'path', type: 'string', required: true, description: 'A file, a directory, or a pattern of paths.' },
      { name: 'context', type: 'integer', minimum: 0, description: 'Lines around each match. Default: 0.' },
    ],
    toArgs(given) {
      const { pattern, path, context = 0 } = given as { pattern: string; path: string; context?: number };
      const { base, pattern: names } = splitPath(path);
      return {
        args: {
          pattern,
          path: base,
          // With a slash it is about paths from there, not about names at any depth.
          ...(names === null ? {} : { glob: `./${enginePattern(names)}` }),
          ...(context === 0 ? {} : { before: context, after: context }),
          ignored: true,
          limit: MAX_ROWS,
          lineLength: LINE_LENGTH,
        },
      };
    },
    toText(value) {
      const text = grepText(value, {
        path: (path) => shownPath(value.root, path, null),
        lead: ({ line, match }) => `${match ? '*' : ' '}${line}|`,
        gap: null,
      });
      const notices = searchNotices(value.stopped, value.gaps, 'there are more matches');
      if (value.files.length === 0) notices.unshift('(no matches)');
      return [...(text === '' ? [] : [text]), ...notices].join('\n');
    },
  });
}
