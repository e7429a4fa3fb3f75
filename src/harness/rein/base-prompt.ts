import { type Instant, localDate } from '../../base/index.ts';
import { lay, layBetween, makePiece, shippedPiece } from '../../instructions/index.ts';
import type { Laid, Piece, SessionState, ToolSpec, World } from '../../model/index.ts';
import answers from './prompts/answers.md';
import care from './prompts/care.md';
import identity from './prompts/identity.md';
import instructions from './prompts/instructions.md';
import work from './prompts/work.md';

/** The pin that holds the conversation's date. */
export const DATE_PIN = 'rein/date';

/** The date of the conversation's start: pinned at its first turn, so that midnight does not change the prompt. */
export function pinnedDate(session: SessionState, startedAt: Instant): string {
  return session.pins[DATE_PIN] ?? localDate(startedAt);
}

function shipped(name: string, text: string, rule: string): Piece {
  return shippedPiece({ id: `base/${name}`, kind: 'base', placement: 'system', rule, text });
}

type Guidance = { needs: readonly string[]; without?: readonly string[]; line: string };

// What to say of a tool beside its description: only how the tools go together. Each line for offered tools alone.
const GUIDANCE: readonly Guidance[] = [
  {
    needs: ['read', 'glob', 'grep'],
    line: 'Find files with `glob` and text with `grep`, then `read` what matters; do not read whole trees.',
  },
  {
    needs: ['read', 'shell'],
    without: ['grep'],
    line: 'Read files with `read`; search with `shell` (`rg` or `grep`, `git ls-files`, `ls`), not by reading whole trees.',
  },
  {
    needs: ['edit'],
    line: 'Change existing files with `edit`, several places of one file in one call. It matches exact text: copy it from a fresh read.',
  },
  { needs: ['write'], line: '`write` is for new files and for replacing a whole one.' },
  {
    needs: ['edit', 'shell'],
    line: 'Do not change files through `shell` where `edit` can do it; formatters and code generators of the repository are fine.',
  },
  {
    needs: ['shell'],
    line: 'Commands run without a terminal or input: pass flags that keep them from prompting or paging. Nothing carries over between calls, not even `cd`. What must outlive a call goes to the background with its output in a file.',
  },
];

function tools(offered: readonly ToolSpec[]): Laid {
  const names = new Set(offered.map(({ name }) => name));
  const fits = ({ needs, without = [] }: Guidance): boolean =>
    needs.every((name) => names.has(name)) && !without.some((name) => names.has(name));
  const lines = GUIDANCE.filter(fits).map(({ line }) => `- ${line}`);
  if (lines.length === 0) return [];
  const text = ['# Tools', '', ...lines].join('\n');
  return lay(shipped('tools', text, 'How the offered tools go together.'), 'every-request');
}

function environment(world: World, date: string): Piece {
  return makePiece({
    id: 'base/environment',
    kind: 'environment',
    origin: { type: 'session' },
    placement: 'system',
    rule: 'The working directory, the platform, and the date at the start of the conversation; it does not change after.',
    text: [
      '# Environment',
      '',
      `Working directory: ${world.cwd} (relative paths start here)`,
      `Platform: ${world.platform.os}, shell ${world.platform.shell}`,
      `Date when this conversation began: ${date}`,
    ].join('\n'),
  });
}

/** rein's base prompt: pieces with a blank line between each two, no newline at the end. */
export function reinBasePrompt(world: World, offered: readonly ToolSpec[], date: string): Laid {
  return layBetween('\n\n', [
    lay(shipped('identity', identity, 'Who the agent is and what it is to do.'), 'every-request'),
    lay(shipped('work', work, 'How to go about a task.'), 'every-request'),
    tools(offered),
    lay(shipped('care', care, 'What must not be lost, leaked or done unasked.'), 'every-request'),
    lay(shipped('instructions', instructions, 'What reminders and instruction files mean.'), 'every-request'),
    lay(shipped('answers', answers, 'How to answer.'), 'every-request'),
    lay(environment(world, date), 'every-request'),
  ]);
}
