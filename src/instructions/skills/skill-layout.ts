import { dirname } from 'node:path';
import type { Laid, Piece, Placement, Trigger } from '../../model/index.ts';
import { neutraliseClosingTags } from '../closing-tag.ts';
import { joinLaid, lay } from '../layout.ts';
import { movedFragments } from '../moved-fragments.ts';
import { makePiece, shippedPiece } from '../piece.ts';
import { escapeAttribute } from './escape-markup.ts';
import type { Skill } from './skill.ts';

/** The tag around a skill's text. */
export const SKILL_TAG = 'skill';
const INTRO = 'Instructions of this skill follow. Relative paths in them start in the directory named above.';

type Fragments = NonNullable<Piece['fragments']>;

/**
 * What is sent of a skill, and where. `text`: its body, rendered where the skill asks for that. `fragments`: what of it
 * came from other files. `within`: tags that will stand around the layout; the text must not close them either.
 */
export type InvokedSkill = {
  text: string;
  fragments: Fragments;
  /** What the `skill` tool gives, or a reminder for a person's `@skill:`. */
  placement: Extract<Placement, 'tool-result' | 'history'>;
  trigger: Trigger;
  within?: readonly string[];
};

/**
 * An invoked skill as the model gets it (seed 004): between tags that name it and the directory of the files that
 * belong to it.
 */
export function skillLayout(skill: Pick<Skill, 'name' | 'file'>, invoked: InvokedSkill): Laid {
  const { fragments, placement, trigger, within = [] } = invoked;
  const whole = invoked.text.toWellFormed();
  const { text, lines } = neutraliseClosingTags(whole, [SKILL_TAG, ...within]);
  const { path, scope, sha256 } = skill.file;
  const moved = lines.length === 0 ? fragments : movedFragments(fragments, whole, text);
  const piece = makePiece({
    id: `skill:${skill.name}`,
    kind: 'skill',
    origin: { type: 'file', path, scope },
    placement,
    rule: 'The text of a skill reaches the model when the skill is called.',
    requirement: 'P34',
    text,
    fileSha256: sha256,
    ...(moved.length === 0 ? {} : { fragments: moved }),
  });
  const intro = shippedPiece({
    id: 'skill/intro',
    kind: 'guidance',
    placement,
    rule: 'Says what a loaded skill is and where the files are that belong to it.',
    text: INTRO,
  });
  const directory = escapeAttribute(dirname(path));
  return joinLaid(
    `<${SKILL_TAG} name="${escapeAttribute(skill.name)}" directory="${directory}">\n`,
    lay(intro, trigger),
    '\n\n',
    lay(piece, trigger),
    `${text.endsWith('\n') ? '' : '\n'}</${SKILL_TAG}>`,
  );
}
