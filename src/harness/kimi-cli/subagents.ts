import type { SessionState } from '../../model/index.ts';
import type { GitSnapshot, SubagentSummary, Subagents } from '../contract/index.ts';

const READS = ['ReadFile', 'ReadMediaFile', 'Glob', 'Grep', 'SearchWeb', 'FetchURL'];

type AgentType = { name: string; description: string; tools: readonly string[]; role: string };

/** spec/kimi-cli.md 17: what each type has, and what is said to it beside the words for all of them. */
const TYPES: readonly AgentType[] = [
  {
    name: 'coder',
    description: 'General engineering: reads, changes and runs.',
    tools: ['Shell', 'WriteFile', 'StrReplaceFile', ...READS],
    role: 'You do engineering work: say at the end what you changed, in which files, and how you checked it.',
  },
  {
    name: 'explore',
    description: 'Fast, read-only exploration of a code base.',
    tools: ['Shell', ...READS],
    role: 'You explore and change nothing: use Shell for read-only commands alone. Search wide first, then read what matters, several calls at once. Give the answer with paths and line numbers.',
  },
  {
    name: 'plan',
    description: 'Works out how something is to be built, and changes nothing.',
    tools: READS,
    role: 'You plan and change nothing. Say what is known, which questions are open, and the plan: its steps in order, the files of each, and what is to be checked.',
  },
];

/** Of every subagent. */
const ROLE =
  'You run as a subagent of a Kimi Code CLI conversation. Your messages come from the main agent, which sees nothing of your work but your last message. Keep to the task that you were given, and be concise. Do not assume that you can reach the user, and ask them nothing: where the task leaves something open, say in your last message what you took.';

function typeOf({ header }: SessionState): AgentType | null {
  const { spawnedBy } = header;
  return spawnedBy === null ? null : (TYPES.find(({ name }) => name === spawnedBy.agent) ?? null);
}

export function isSubagent({ header }: SessionState): boolean {
  return header.spawnedBy !== null;
}

/** What confines this session to its task; empty for the root. */
export function roleText(session: SessionState): string {
  if (!isSubagent(session)) return '';
  const own = typeOf(session);
  return own === null ? ROLE : `${ROLE} ${own.role}`;
}

/** Whether this session's agent has this tool; the root has all. */
export function hasTool(session: SessionState, tool: string): boolean {
  return !isSubagent(session) || typeOf(session)?.tools.includes(tool) === true;
}

const SUMMARIES: readonly SubagentSummary[] = TYPES.map(({ name, description }) => ({
  name,
  description,
  scope: 'shipped',
  path: null,
  spawns: false,
  readsPlan: false,
}));

/** Lines of changed files in the opening. */
function gitContext({ directory, remote, branch, dirty, dirtyCount, commits }: GitSnapshot): string {
  const more = dirtyCount - dirty.length;
  const lines = [
    `Working directory: ${directory}`,
    ...(remote === null ? [] : [`Remote: ${remote}`]),
    ...(branch === null ? [] : [`Branch: ${branch}`]),
    ...(dirty.length === 0 ? [] : [`Dirty files (${dirtyCount}):`, ...dirty.map((line) => `  ${line}`)]),
    ...(more > 0 ? [`  ... and ${more} more`] : []),
    ...(commits.length === 0 ? [] : ['Recent commits:', ...commits.map((line) => `  ${line}`)]),
  ];
  return `<git-context>\n${lines.join('\n').replaceAll('</git-context', '&lt;/git-context')}\n</git-context>\n\n`;
}

export const KIMI_SUBAGENTS: Subagents = {
  list: ({ session, settings }) => (isSubagent(session) || settings.startsAgents === false ? [] : SUMMARIES),
  exitTool: null,
  short: {
    under: 200,
    words:
      'Your last message is all that the main agent sees of your work, and it is too short for that. Say it again in full: what you found or did, with paths, what you took for granted, and what is open.',
  },
  asksGit: (name) => name === 'explore',
  opening: (_name, git) => (git === null ? '' : gitContext(git)),
};
