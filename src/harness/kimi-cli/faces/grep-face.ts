import type { Json, ToolFailure } from '../../../model/index.ts';
import type { GrepArgs, GrepValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/grep.md';
import type { KimiResult } from '../tool-result.ts';
import { matchLines } from './grep-lines.ts';
import { type Ground, placeOf, quotedPath } from './ground.ts';
import { type KimiParameter, nullable } from './kimi-arguments.ts';
import { kimiFace } from './kimi-face.ts';
import { limitOutput, TRUNCATED } from './limit-output.ts';
import { stopSentence } from './stop-sentence.ts';

const MODES = { content: 'content', files_with_matches: 'files', count_matches: 'count' } as const;
const VERSIONED = ['.git', '.svn', '.hg', '.bzr', '.jj', '.sl'];

/** Looked for, so that the number of all can be told; a result shows much less. */
const MOST_FOUND = 10_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** Characters of a line before it is cut to what a result shows. */
const LINE_LENGTH = 100_000;
const DEFAULT_HEAD = 250;
const NAMES_TOLD = 5;

/** `shown`: what the result shows of all that was found; the engine has no part in it. */
export type KimiGrepArgs = GrepArgs & {
  shown: { numbers: boolean; offset: number; limit: number | null };
};

type Given = {
  pattern: string;
  path: string;
  glob: string | null;
  output_mode: string;
  '-B': number | null;
  '-A': number | null;
  '-C': number | null;
  '-n': boolean;
  '-i': boolean;
  type: string | null;
  head_limit: number | null;
  offset: number;
  multiline: boolean;
  include_ignored: boolean;
};

const COUNT = { type: 'integer', minimum: 0 } as const;

const PARAMETERS: readonly KimiParameter[] = [
  { name: 'pattern', required: true, schema: { type: 'string', description: 'The regular expression.' } },
  {
    name: 'path',
    schema: { type: 'string', default: '.', description: 'File or directory; outside the working directory absolute.' },
  },
  { name: 'glob', schema: nullable({ type: 'string' }, { description: 'Only files with such names: `*.js`.' }) },
  {
    name: 'output_mode',
    schema: {
      type: 'string',
      default: 'files_with_matches',
      description:
        '`content`: the matching lines. `files_with_matches`: names of files. `count_matches`: matches in each file.',
    },
  },
  { name: '-B', schema: nullable(COUNT, { description: 'Lines before each match, with `content`; at most 50.' }) },
  { name: '-A', schema: nullable(COUNT, { description: 'Lines after each match, with `content`; at most 50.' }) },
  {
    name: '-C',
    schema: nullable(COUNT, { description: 'Lines before and after each match, with `content`; at most 50.' }),
  },
  { name: '-n', schema: { type: 'boolean', default: true, description: 'Line numbers, with `content`.' } },
  { name: '-i', schema: { type: 'boolean', default: false, description: 'Letter case does not count.' } },
  { name: 'type', schema: nullable({ type: 'string' }, { description: 'Only files of a type: `py`, `js`, `rust`.' }) },
  {
    name: 'head_limit',
    schema: nullable(COUNT, { default: DEFAULT_HEAD, description: 'Most lines of output. 0 or null: no limit.' }),
  },
  { name: 'offset', schema: { ...COUNT, default: 0, description: 'Lines of output to skip first.' } },
  {
    name: 'multiline',
    schema: { type: 'boolean', default: false, description: 'A match may span lines, and `.` is a line end, too.' },
  },
  {
    name: 'include_ignored',
    schema: { type: 'boolean', default: false, description: 'Search what `.gitignore` leaves out, too.' },
  },
];

function toArgs(all: Readonly<Record<string, Json>>, ground: Ground): { args: KimiGrepArgs } | { error: ToolFailure } {
  const given = all as Given;
  const { output_mode: name, head_limit: limit, offset } = given;
  if (!Object.hasOwn(MODES, name)) {
    const message = `Error validating JSON arguments: output_mode must be one of ${Object.keys(MODES).join(', ')}`;
    return { error: { code: 'arguments/invalid', message } };
  }
  const place = placeOf(given.path, ground);
  if ('error' in place) return place;
  const mode = MODES[name as keyof typeof MODES];
  const around = { before: given['-B'] ?? given['-C'] ?? 0, after: given['-A'] ?? given['-C'] ?? 0 };
  return {
    args: {
      pattern: given.pattern,
      path: place.path,
      mode,
      ...(given.glob === null ? {} : { glob: given.glob }),
      ...(given.type === null ? {} : { type: given.type }),
      ...(mode === 'content' ? around : {}),
      ...(mode === 'files' ? { newestFirst: true as const } : {}),
      ...(given['-i'] ? { ignoreCase: true as const } : {}),
      ...(given.multiline ? { multiline: true as const } : {}),
      ...(given.include_ignored ? { ignored: true as const } : {}),
      limit: MOST_FOUND,
      bytes: MOST_BYTES,
      lineLength: LINE_LENGTH,
      exclude: VERSIONED,
      withoutSecrets: true,
      shown: { numbers: given['-n'], offset, limit: limit === 0 ? null : limit },
    },
  };
}

function secretsNote(secrets: readonly string[]): string[] {
  if (secrets.length === 0) return [];
  const more = secrets.length > NAMES_TOLD ? ', ...' : '';
  const names = `${secrets.slice(0, NAMES_TOLD).join(', ')}${more}`;
  return [`Skipped ${secrets.length} sensitive file(s) (${names}): they may hold keys or passwords.`];
}

/** What the numbers do not say. */
function notesOf({ stopped, gaps, secrets = [] }: GrepValue): string[] {
  const stop = stopSentence(stopped);
  return [
    ...secretsNote(secrets),
    ...(stopped === 'limit' || stopped === 'size'
      ? ['There are more matches than were counted. Narrow the search.']
      : []),
    ...(stop === null ? [] : [stop]),
    ...(gaps.unreadable > 0 ? [`${gaps.unreadable} file(s) could not be read.`] : []),
  ];
}

function toResult(value: GrepValue, args: KimiGrepArgs | undefined): KimiResult {
  const { numbers, offset, limit } = args?.shown ?? { numbers: true, offset: 0, limit: DEFAULT_HEAD };
  const lines = matchLines(value, numbers, (args?.before ?? 0) > 0 || (args?.after ?? 0) > 0);
  const shown = lines.slice(offset, limit === null ? undefined : offset + limit);
  const notes = notesOf(value);
  if (shown.length === 0) {
    if (value.stopped === 'time') return { failed: true, message: notes.join(' ') };
    return { message: ['No matches found.', ...notes].join(' ') };
  }
  const { text, cut } = limitOutput(shown.join('\n'));
  const next = offset + shown.length;
  const message = [
    ...(value.mode === 'count' ? [countSentence(value)] : []),
    ...(next < lines.length
      ? [`Results truncated to ${shown.length} lines (total: ${lines.length}). Use offset=${next} to see more.`]
      : []),
    ...notes,
    ...(cut ? [TRUNCATED.trim()] : []),
  ].join(' ');
  return message === '' ? { output: text } : { message, output: text };
}

function countSentence({ files }: GrepValue): string {
  const matches = files.reduce((sum, { count }) => sum + count, 0);
  return `Found ${matches} total occurrences across ${files.length} files.`;
}

function toFailure(error: ToolFailure): KimiResult {
  if (error.code === 'grep/absent') return { failed: true, message: `${quotedPath(error)} does not exist.` };
  const message = error.code.startsWith('grep/') ? `Failed to grep. Error: ${error.message}` : error.message;
  return { failed: true, message };
}

/**
 * Executor `grep` (spec/kimi-cli.md 13.6). `-A` and `-B` say more than `-C`, as they do to ripgrep. Each line begins with
 * its file, also where a single one is searched.
 */
export function kimiGrepFace(ground: Ground): ToolFace {
  return kimiFace<KimiGrepArgs, GrepValue>({
    name: 'Grep',
    description,
    executor: 'grep',
    parameters: PARAMETERS,
    toArgs: (given) => toArgs(given, ground),
    toResult: (value, _outcome, _turn, args) => toResult(value, args),
    toFailure,
  });
}
