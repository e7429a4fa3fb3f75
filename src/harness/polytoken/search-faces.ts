import type { GlobArgs, GlobValue, GrepArgs, GrepValue, ToolFace } from '../../tools/contract/index.ts';
import type { Parameter, ParsedArguments } from '../faces/arguments.ts';
import { makeFace } from '../faces/face.ts';
import { anyDepth, globText } from '../faces/glob-face.ts';
import { matchesText } from '../faces/grep-face.ts';
import glob from './descriptions/glob.md';
import grep from './descriptions/grep.md';

/** One place, several, or none named; an array of one is that one. */
function placesOf(given: ParsedArguments): { path?: string; paths?: readonly string[] } {
  const { path } = given as { path?: string | readonly string[] };
  if (path === undefined) return {};
  if (typeof path === 'string') return { path };
  const [only] = path;
  return path.length === 1 && only !== undefined ? { path: only } : { paths: path };
}

const IGNORE_FILES: Parameter = {
  name: 'respect_ignore_files',
  type: 'boolean',
  description: 'Leave out what .gitignore does. Default: true.',
};

function ignoredOf(given: ParsedArguments): { ignored?: true } {
  return given.respect_ignore_files === false ? { ignored: true } : {};
}

/** Executor `glob`. */
export const GLOB: ToolFace = makeFace<GlobArgs, GlobValue>({
  name: 'glob',
  description: glob,
  executor: 'glob',
  parameters: [
    { name: 'pattern', type: 'string', required: true, description: 'For example `src/**/*.ts`.' },
    {
      name: 'path',
      type: 'string-or-strings',
      description: 'Directory to begin in, or up to 8 of them. Default: the working directory.',
    },
    IGNORE_FILES,
  ],
  toArgs(given) {
    const { pattern } = given as { pattern: string };
    return { args: { pattern: anyDepth(pattern), ...placesOf(given), ...ignoredOf(given) } };
  },
  toText: (value, _outcome, { world }) => globText(value, world.cwd),
});

type GrepGiven = {
  pattern: string;
  include?: string;
  context_lines?: number;
  max_results?: number;
};

/** Executor `grep`. */
export const GREP: ToolFace = makeFace<GrepArgs, GrepValue>({
  name: 'grep',
  description: grep,
  executor: 'grep',
  parameters: [
    { name: 'pattern', type: 'string', required: true, description: 'The regular expression.' },
    {
      name: 'path',
      type: 'string-or-strings',
      description: 'File or directory, or up to 8 of them. Default: the working directory.',
    },
    { name: 'include', type: 'string', description: 'Only files with such names: `*.ts`, `src/**`.' },
    { name: 'context_lines', type: 'integer', minimum: 0, description: 'Lines around each match. Default: 0.' },
    { name: 'max_results', type: 'integer', minimum: 1, description: 'Most matching lines. Default: 200.' },
    IGNORE_FILES,
  ],
  toArgs(given) {
    const { pattern, include, context_lines: around, max_results: limit } = given as GrepGiven;
    return {
      args: {
        pattern,
        ...placesOf(given),
        ...(include === undefined ? {} : { glob: include }),
        ...(around === undefined ? {} : { before: around, after: around }),
        ...(limit === undefined ? {} : { limit }),
        ...ignoredOf(given),
      },
    };
  },
  toText: (value, _outcome, { world }) => matchesText(value, world.cwd),
});
