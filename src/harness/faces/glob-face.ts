import type { GlobArgs, GlobValue, ToolFace } from '../../tools/contract/index.ts';
import { grouped, makeFace } from './face.ts';
import { searchNotices } from './search-notices.ts';
import { shownPath } from './shown-path.ts';

type Given = { pattern: string; path?: string; ignored?: boolean };

/** A pattern of one name with a wildcard is meant for any depth. */
export function anyDepth(pattern: string): string {
  const isName = !pattern.includes('/') && /[*?[{]/.test(pattern) && pattern !== '**';
  return isName ? `**/${pattern}` : pattern;
}

/** The names, from the working directory where they lie below it, and what is missing. */
export function globText({ root, entries, total, stopped, gaps }: GlobValue, cwd: string): string {
  const names = entries.map(({ path, directory }) => `${shownPath(root, path, cwd)}${directory ? '/' : ''}`);
  const notices = searchNotices(stopped, gaps, `${grouped(total - entries.length)} more`);
  if (names.length === 0) notices.unshift('[no file has such a name]');
  return [...names, ...notices].join('\n');
}

/** Executor `glob`. */
export function globFace(words: { name: string; description: string }): ToolFace {
  return makeFace<GlobArgs, GlobValue>({
    ...words,
    executor: 'glob',
    parameters: [
      { name: 'pattern', type: 'string', required: true, description: 'For example `src/**/*.ts`.' },
      { name: 'path', type: 'string', description: 'Where to begin. Default: the working directory.' },
      { name: 'ignored', type: 'boolean', description: 'Include what .gitignore leaves out. Default: false.' },
    ],
    toArgs(given) {
      const { pattern, path, ignored } = given as Given;
      return {
        args: {
          pattern: anyDepth(pattern),
          ...(path === undefined ? {} : { path }),
          ...(ignored === true ? { ignored } : {}),
        },
      };
    },
    toText: (value, _outcome, { world }) => globText(value, world.cwd),
  });
}
