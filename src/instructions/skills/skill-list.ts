import { byteLength, type Diagnostic } from '../../base/index.ts';
import type { Laid } from '../../model/index.ts';
import { joinLaid, lay, layBetween } from '../layout.ts';
import { makePiece } from '../piece.ts';
import { escapeMarkup } from './escape-markup.ts';
import type { Skill } from './skill.ts';

/** Of the whole list: it goes out with every request. */
const MAX_BYTES = 16 * 1024;
/** Kept for the line that says how many are left out. */
const REST_BYTES = 128;
const RULE = 'The model knows of a skill by its name and description; the text comes when the skill is called.';

type Listed = Pick<Skill, 'name' | 'description' | 'file'>;

function lineOf({ name, description }: Listed): string {
  return `- ${escapeMarkup(name)}: ${escapeMarkup(description)}`;
}

function layLine(skill: Listed, text: string): Laid {
  const { path, scope, sha256 } = skill.file;
  const piece = makePiece({
    id: `skill-list:${skill.name}`,
    kind: 'skill-list',
    origin: { type: 'file', path, scope },
    placement: 'tools',
    rule: RULE,
    requirement: 'P33',
    text,
    fileSha256: sha256,
  });
  return lay(piece, 'every-request');
}

function layRest(count: number): Laid {
  const piece = makePiece({
    id: 'skill-list/rest',
    kind: 'skill-list',
    origin: { type: 'session' },
    placement: 'tools',
    rule: 'There are more skills than the list has room for.',
    requirement: 'P33',
    text: count === 1 ? '(1 more skill is not listed.)' : `(${count} more skills are not listed.)`,
  });
  return lay(piece, 'every-request');
}

/**
 * The skills for the description of the `skill` tool, a line each, in the order given; empty: there are none. What does
 * not fit is counted, and named in a diagnostic.
 */
export function skillList(visible: readonly Listed[]): { laid: Laid; diagnostics: Diagnostic[] } {
  const lines = visible.map((skill) => ({ skill, text: lineOf(skill) }));
  const total = lines.reduce((sum, { text }) => sum + byteLength(text) + 1, 0);
  const room = total <= MAX_BYTES ? MAX_BYTES : MAX_BYTES - REST_BYTES;
  let used = 0;
  const fitting = lines.filter(({ text }) => {
    used += byteLength(text) + 1;
    return used <= room;
  });
  const laid = fitting.map(({ skill, text }) => layLine(skill, text));
  if (fitting.length === lines.length) return { laid: layBetween('\n', laid), diagnostics: [] };
  const rest = lines.slice(fitting.length).map(({ skill }) => skill.name);
  return { laid: joinLaid(layBetween('\n', [...laid, layRest(rest.length)])), diagnostics: [leftOut(rest)] };
}

function leftOut(names: readonly string[]): Diagnostic {
  return {
    severity: 'warning',
    code: 'skills/list-full',
    message: `the list of skills has no room for ${names.length} of them; shorter descriptions, or a facet's skills_allow, make room`,
    data: { names: names.slice(0, 200) },
  };
}
