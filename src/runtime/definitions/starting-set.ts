import { dirname, join } from 'node:path';
import { configHome } from '../../config/index.ts';
import { FileError, type HostPorts } from '../../host/index.ts';
import { locate } from '../locate.ts';
import {
  AGENTS_TEXT,
  FACET_TEXT,
  SETTINGS_TEXT,
  SKILL_TEXT,
  SUBAGENT_TEXT,
  USER_AGENTS_TEXT,
} from './starting-texts.ts';

/**
 * `there`: it was not touched. `elsewhere`: a link on the way leads out of the project, nothing was written. `failed`: it
 * could not be written, for the reason `why`.
 */
export type StartingFile = { path: string; about: string } & (
  | { outcome: 'written' | 'there' | 'elsewhere' }
  | { outcome: 'failed'; why: string }
);

type Draft = { path: string; text: string; about: string; mode?: number };

/** Any of these is the project's instruction file already. */
const INSTRUCTION_FILES = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'];

/**
 * Writes a first set of instruction files with explanations: the project's, or with `user` the user's own. What is
 * there stays as it is, and a file that cannot be written keeps none of the others away. Throws UsageError cwd/unusable.
 */
export async function startingSet(
  options: { cwd?: string; user?: boolean },
  host: HostPorts,
): Promise<readonly StartingFile[]> {
  const { cwd, projectRoot } = await locate(host, options.cwd);
  const root = projectRoot ?? cwd;
  const isUser = options.user === true;
  const directory = isUser ? join(configHome(host.env), 'rein') : join(root, '.rein');
  const own = isUser ? directory : root;
  const files: StartingFile[] = [];
  for (const draft of [agentsDraft(own, isUser), ...draftsIn(directory)]) {
    files.push(await writeOrSay(draft, isUser ? null : root, host));
  }
  return files;
}

function agentsDraft(directory: string, isUser: boolean): Draft {
  const about = isUser ? 'what you want of an agent in every project' : 'what an agent has to know of this project';
  return { path: join(directory, 'AGENTS.md'), text: isUser ? USER_AGENTS_TEXT : AGENTS_TEXT, about };
}

function draftsIn(directory: string): Draft[] {
  return [
    { path: join(directory, 'settings.json'), text: SETTINGS_TEXT, about: 'settings, all of them commented out' },
    {
      path: join(directory, 'facets', 'review.md'),
      text: FACET_TEXT,
      about: 'an example of a facet: rein --facet review',
    },
    { path: join(directory, 'subagents', 'test-runner.md'), text: SUBAGENT_TEXT, about: 'an example of a subagent' },
    { path: join(directory, 'skills', 'commit-message', 'SKILL.md'), text: SKILL_TEXT, about: 'an example of a skill' },
  ];
}

async function writeOrSay(draft: Draft, root: string | null, host: HostPorts): Promise<StartingFile> {
  try {
    return await write(draft, root, host);
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    return { path: draft.path, about: draft.about, outcome: 'failed', why: error.message };
  }
}

/** `root`: what is written must really lie below it; null: anywhere. */
async function write(draft: Draft, root: string | null, { files }: HostPorts): Promise<StartingFile> {
  const { path, text, about } = draft;
  const directory = dirname(path);
  if (await isThere(path, files)) return { path, about, outcome: 'there' };
  const door = root === null ? files : files.within([root]);
  if (root !== null && !(await leadsBelow(directory, root, files))) return { path, about, outcome: 'elsewhere' };
  await door.makeDirectory(directory);
  const written = await door.createExclusive(path, text);
  return { path, about, outcome: written ? 'written' : 'there' };
}

async function isThere(path: string, files: HostPorts['files']): Promise<boolean> {
  const names = INSTRUCTION_FILES.some((name) => path.endsWith(`/${name}`)) ? INSTRUCTION_FILES : [];
  const candidates = [path, ...names.map((name) => join(dirname(path), name))];
  for (const candidate of candidates) if ((await files.lstat(candidate)) !== null) return true;
  return false;
}

/** Whether the nearest directory of the path that is there really lies where its name says. */
async function leadsBelow(directory: string, root: string, files: HostPorts['files']): Promise<boolean> {
  for (let at = directory; at !== dirname(at); at = dirname(at)) {
    if ((await files.lstat(at)) === null) continue;
    const real = await files.realPath(at);
    return real !== null && (real === root || real.startsWith(`${root}/`));
  }
  return true;
}
