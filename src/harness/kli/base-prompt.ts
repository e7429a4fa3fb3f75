import { localDate } from '../../base/index.ts';
import { lay, layBetween, makePiece, shippedPiece } from '../../instructions/index.ts';
import type { Laid, Piece, Submission, ToolSpec } from '../../model/index.ts';
import guidelines from './prompts/guidelines.md';
import identity from './prompts/identity.md';
import naming from './prompts/naming.md';

function shipped(name: string, text: string, rule: string, requirement: string): Piece {
  return shippedPiece({ id: `base/${name}`, kind: 'base', placement: 'system', rule, requirement, text });
}

/** One line a tool, its description in full even over several lines (spec/kli.md 4.3, 4.5). */
function toolLines(tools: readonly ToolSpec[]): string {
  if (tools.length === 0) return '(none)';
  return tools.map(({ name, description }) => `- ${name}: ${description}`).join('\n');
}

function environment({ startedAt, world }: Submission): Piece {
  const directory = world.cwd.endsWith('/') ? world.cwd : `${world.cwd}/`;
  return makePiece({
    id: 'base/environment',
    kind: 'environment',
    origin: { type: 'session' },
    placement: 'system',
    rule: 'The local date and the working directory at the time of the submission.',
    requirement: 'K6',
    text: [
      'These facts about the environment are authoritative: answer from them directly, without running a command.',
      `Current date: ${localDate(startedAt)}`,
      `Current working directory: ${directory}`,
    ].join('\n'),
  });
}

/** kli's base prompt for one submission: five pieces, a blank line between each two, no newline at the end. */
export function kliBasePrompt(submission: Submission): Laid {
  const tools = `Available tools:\n${toolLines(submission.tools)}`;
  const pieces = [
    shipped('identity', identity, 'Who the agent is.', 'K2'),
    shipped('naming', naming, 'What the agent calls itself.', 'K2'),
    shipped('tools', tools, 'The tools that this submission offers, by name and description.', 'K3'),
    shipped('guidelines', guidelines, 'A few guidelines that hold for any set of tools.', 'K5'),
    environment(submission),
  ];
  return layBetween(
    '\n\n',
    pieces.map((piece) => lay(piece, 'every-submission')),
  );
}
