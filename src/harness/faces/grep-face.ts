import type { GrepArgs, GrepValue, ToolFace } from '../../tools/contract/index.ts';
import { makeFace } from './face.ts';
import { grepText } from './grep-text.ts';
import { searchNotices } from './search-notices.ts';
import { shownPath } from './shown-path.ts';

type Given = {
  pattern: string;
  path?: string;
  glob?: string;
  mode?: 'content' | 'files' | 'count';
  context?: number;
  ignore_case?: boolean;
  multiline?: boolean;
  ignored?: boolean;
  limit?: number;
};

/** Files with their rows, names or counts, and what is missing. */
export function matchesText(value: GrepValue, cwd: string): string {
  const text = grepText(value, {
    path: (path) => shownPath(value.root, path, cwd),
    lead: ({ line, match }) => `${line}${match ? ':' : '-'} `,
    gap: '--',
  });
  const notices = searchNotices(value.stopped, value.gaps, 'there are more matches');
  if (value.files.length === 0) notices.unshift('[no match]');
  return [...(text === '' ? [] : [text]), ...notices].join('\n');
}

/** Executor `grep`. */
export function grepFace(words: { name: string; description: string }): ToolFace {
  return makeFace<GrepArgs, GrepValue>({
    ...words,
    executor: 'grep',
    parameters: [
      { name: 'pattern', type: 'string', required: true, description: 'The regular expression.' },
      { name: 'path', type: 'string', description: 'File or directory. Default: the working directory.' },
      { name: 'glob', type: 'string', description: 'Only files with such names: `*.ts`, `src/**`.' },
      { name: 'mode', type: 'word', words: ['content', 'files', 'count'], description: 'Default: content.' },
      { name: 'context', type: 'integer', minimum: 0, description: 'Lines around each match. Default: 0.' },
      { name: 'ignore_case', type: 'boolean', description: 'Default: false.' },
      { name: 'multiline', type: 'boolean', description: 'Let a match span lines. Default: false.' },
      { name: 'ignored', type: 'boolean', description: 'Search what .gitignore leaves out, too. Default: false.' },
      { name: 'limit', type: 'integer', minimum: 1, description: 'Most lines, or files. Default: 200.' },
    ],
    toArgs(given) {
      const { pattern, path, glob, mode, context, ignore_case, multiline, ignored, limit } = given as Given;
      return {
        args: {
          pattern,
          ...(path === undefined ? {} : { path }),
          ...(glob === undefined ? {} : { glob }),
          ...(mode === undefined ? {} : { mode }),
          ...(context === undefined ? {} : { before: context, after: context }),
          ...(ignore_case === true ? { ignoreCase: true } : {}),
          ...(multiline === true ? { multiline: true } : {}),
          ...(ignored === true ? { ignored: true } : {}),
          ...(limit === undefined ? {} : { limit }),
        },
      };
    },
    toText: (value, _outcome, { world }) => matchesText(value, world.cwd),
  });
}
