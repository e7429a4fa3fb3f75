import { isAbsolute, resolve } from 'node:path';
import { renderListing } from '../../../instructions/index.ts';
import type { Json, ToolFailure, Turn } from '../../../model/index.ts';
import type { GlobArgs, GlobValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/glob.md';
import { listingPin } from '../pins.ts';
import type { KimiResult } from '../tool-result.ts';
import { type Ground, liesIn, quoted, quotedPath, withoutTilde } from './ground.ts';
import { nullable } from './kimi-arguments.ts';
import { kimiFace } from './kimi-face.ts';
import { stopSentence } from './stop-sentence.ts';

const MAX_MATCHES = 1000;
/** Of a thousand names, however long. */
const MAX_BYTES = 256 * 1024;

type Given = { pattern: string; directory: string | null; include_dirs: boolean };

function refused(code: string, message: string): { error: ToolFailure } {
  return { error: { code: `glob/${code}`, message } };
}

function patternProblem(pattern: string): { error: ToolFailure } | null {
  if (pattern.startsWith('**')) {
    const why = 'it would go through every directory, those of dependencies and builds too';
    return refused(
      'unsafe-pattern',
      `Pattern ${quoted(pattern)} begins with \`**\`: ${why}. Begin with a directory, as in \`src/**/*.py\`.`,
    );
  }
  if (!isAbsolute(pattern) && !pattern.split('/').includes('..')) return null;
  return refused(
    'bad-pattern',
    `Pattern ${quoted(pattern)} is not relative to the directory. Name the place in \`directory\`.`,
  );
}

function directoryOf(given: string | null, ground: Ground): { path: string } | { error: ToolFailure } {
  if (given === null) return { path: ground.cwd };
  const expanded = withoutTilde(given, ground);
  if (!isAbsolute(expanded)) {
    return refused('relative', `${quoted(given)} is not an absolute path. Name the directory by its absolute path.`);
  }
  const path = resolve(expanded);
  if (ground.workspace.some((root) => liesIn(path, root))) return { path };
  return refused(
    'outside',
    `${quoted(given)} is outside the workspace. Only directories of the workspace are searched.`,
  );
}

/** A last name without wildcards means what has that name; to the engine it would be all that lies below. */
function exactName(pattern: string): string {
  const last = pattern.slice(pattern.lastIndexOf('/') + 1);
  return last === '' || /[*?[{\\]/.test(last) ? pattern : `${pattern.slice(0, -last.length)}\\${last}`;
}

function toArgs(given: Readonly<Record<string, Json>>, ground: Ground): { args: GlobArgs } | { error: ToolFailure } {
  const { pattern, directory, include_dirs: directories } = given as Given;
  const problem = patternProblem(pattern);
  if (problem !== null) return problem;
  const place = directoryOf(directory, ground);
  if ('error' in place) return place;
  return {
    args: {
      pattern: exactName(pattern),
      path: place.path,
      limit: MAX_MATCHES,
      bytes: MAX_BYTES,
      fromPath: true,
      ignored: true,
      ...(directories ? { directories: 'and-links' as const } : {}),
    },
  };
}

function toResult({ entries, total, stopped }: GlobValue, args: GlobArgs | undefined): KimiResult {
  const pattern = `pattern ${quoted(shownPattern(args?.pattern ?? ''))}`;
  const sentences = [total === 0 ? `No matches found for ${pattern}.` : `Found ${total} matches for ${pattern}.`];
  if (total > entries.length) {
    sentences.push(`Only the first ${entries.length} matches are returned. Use a narrower pattern.`);
  }
  const stop = stopSentence(stopped);
  if (stop !== null) sentences.push(stop);
  return { message: sentences.join(' '), output: entries.map(({ path }) => path).join('\n') };
}

/** As the model wrote it. */
function shownPattern(pattern: string): string {
  return pattern.replace(/(^|\/)\\([^*?[{\\/][^/]*)$/, '$1$2');
}

/** As the prompt shows it: kept since the conversation began in this directory, or found with this request. */
function listingOf({ world, session }: Turn): string | null {
  const found = world.listing === undefined ? null : renderListing(world.listing.root);
  return session.pins[listingPin(session)] ?? found;
}

function toFailure(error: ToolFailure, turn: Turn): KimiResult {
  switch (error.code) {
    case 'glob/unsafe-pattern': {
      const listing = listingOf(turn);
      const output = listing === null ? {} : { output: `Working directory:\n${listing}` };
      return { failed: true, message: error.message, ...output };
    }
    case 'glob/absent':
      return { failed: true, message: `${quotedPath(error)} does not exist.` };
    case 'glob/not-directory':
    case 'glob/not-regular':
      return { failed: true, message: `${quotedPath(error)} is not a directory.` };
    default:
      return { failed: true, message: error.message };
  }
}

/** Executor `glob` (spec/kimi-cli.md 13.5). Alternatives in braces are taken, and `.git` is left out, as the engine has it. */
export function kimiGlobFace(ground: Ground): ToolFace {
  return kimiFace<GlobArgs, GlobValue>({
    name: 'Glob',
    description,
    executor: 'glob',
    parameters: [
      { name: 'pattern', required: true, schema: { type: 'string', description: 'For example `src/**/*.py`.' } },
      {
        name: 'directory',
        schema: nullable(
          { type: 'string' },
          { description: 'Absolute path of the directory to search in. Default: the working directory.' },
        ),
      },
      {
        name: 'include_dirs',
        schema: { type: 'boolean', default: true, description: 'Whether directories match, too.' },
      },
    ],
    toArgs: (given) => toArgs(given, ground),
    toResult: (value, _outcome, _turn, args) => toResult(value, args),
    toFailure,
  });
}
