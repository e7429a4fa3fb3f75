import { makePiece, shippedPiece } from '../../instructions/index.ts';
import type { Piece, Turn } from '../../model/index.ts';
import guidance from './prompts/guidance.md';

/** What a developer text begins with that is no instruction but a context of another program (spec/kimi-cli.md 2.5). */
const CONTEXTUAL: readonly string[] = [
  '<permissions instructions>',
  '<model_switch>',
  '<apps_instructions>',
  '<collaboration_mode>',
  '<multi_agent_role>',
  '<multi_agent_mode>',
  '<environments_instructions>',
  '<git_attribution>',
  '<plugins_instructions>',
  '<realtime_conversation>',
  '<skills_instructions>',
  '<tools>',
  '<personality_spec>',
  '<token_budget>',
  '<context_window>',
  '<context_window_guidance>',
  '<rollout_budget>',
];

function isContextual(text: string): boolean {
  const head = text.trimStart().slice(0, 40).toLowerCase();
  return CONTEXTUAL.some((tag) => head.startsWith(tag));
}

/** Texts given for this run that stand under the heading for developers; a block of another program's context does not. */
export function developerPieces({ settings }: Turn): Piece[] {
  return settings.flags.append.flatMap(({ text, path }, index) =>
    isContextual(text)
      ? []
      : [
          makePiece({
            id: `append:flag/${index + 1}`,
            kind: 'developer',
            origin: path === undefined ? { type: 'flag' } : { type: 'flag', path },
            placement: 'system',
            rule: 'Given for this run: developer instructions after the template.',
            text,
          }),
        ],
  );
}

/** How to work, after everything else; null where it is switched off. */
export function guidancePiece({ settings }: Turn): Piece | null {
  if (settings.guidance === false) return null;
  return shippedPiece({
    id: 'guidance',
    kind: 'guidance',
    placement: 'system',
    rule: 'How to work, unless harness_guidance is off.',
    requirement: 'M66',
    text: guidance.trimEnd(),
  });
}
