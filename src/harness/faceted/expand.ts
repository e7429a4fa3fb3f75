import type { Diagnostic } from '../../base/index.ts';
import { inTag, type Skill, scanSkillReferences, unknownSkill } from '../../instructions/index.ts';
import { isNeeds, type Needs, type Reminder, type Turn } from '../../model/index.ts';
import type { Expansion } from '../contract/index.ts';
import { allOrNeeds } from './all-needs.ts';
import type { FacetedForm } from './form.ts';
import { skillsOf } from './inventory.ts';
import { typedLinkReminders } from './links.ts';
import { loadSkill } from './skills.ts';

/** Skills that one message may call up. */
const MAX_SKILLS = 16;

/** The skills that a message names, once each; those that the facet keeps away or nobody has are told of. */
function namedSkills(form: FacetedForm, turn: Turn, typed: string): { skills: Skill[]; diagnostics: Diagnostic[] } {
  const { accessible } = skillsOf(form, turn);
  const names = [...new Set(scanSkillReferences(typed).map(({ name }) => name))].slice(0, MAX_SKILLS);
  const skills = names.flatMap((name) => accessible.find((skill) => skill.name === name) ?? []);
  const missing = names.filter((name) => !skills.some((skill) => skill.name === name));
  const diagnostics = missing.map(
    (name): Diagnostic => ({
      severity: 'warning',
      code: 'skills/unknown',
      message: unknownSkill(
        name,
        accessible.map((skill) => skill.name),
      ),
    }),
  );
  return { skills, diagnostics };
}

/**
 * What a typed message brings with it: the skills that it names, as reminders after it; its text stays as it is. Files
 * that it links to are composed with the chain (`afterPrompt`), so that no file comes twice; a message that steers a
 * running turn has no such composition, and they are added here.
 */
export function expandTyped(form: FacetedForm, turn: Turn, typed: string): Expansion | Needs {
  const { skills, diagnostics } = namedSkills(form, turn, typed);
  const loaded = allOrNeeds(skills.map((skill) => loadSkill(form, turn, skill, 'on-invocation', 'history')));
  if (isNeeds(loaded)) return loaded;
  const links = turn.reason === 'steer' ? typedLinkReminders(form, turn, typed) : { reminders: [] };
  if (isNeeds(links)) return links;
  const { tag } = form.chain;
  const reminders = loaded.map(
    ({ laid }): Reminder => ({
      reason: 'skill',
      layout: inTag(tag, 'The user called for this skill.\n', laid, '\n'),
    }),
  );
  return {
    parts: [{ type: 'text', text: typed }],
    reminders: [...reminders, ...links.reminders],
    diagnostics: [
      ...diagnostics,
      ...loaded.flatMap((each) => each.diagnostics),
      ...('diagnostics' in links ? (links.diagnostics ?? []) : []),
    ],
  };
}
