import { type Diagnostic, nearest } from '../../base/index.ts';
import type { Definition, DefinitionWords } from '../facets/definition.ts';
import { shownName } from '../facets/definition-name.ts';
import { fileSource, keyDiagnostic, productSection } from '../facets/definition-source.ts';
import { accessibleSkills } from './accessible-skills.ts';
import type { Skill, SkillRules } from './skill.ts';

/** Entries of one list that are told of. */
const MAX_TOLD = 16;

/**
 * Entries of a role's lists of skills that no skill matches: an allowed one that is misspelt allows nothing, and a
 * denied one denies nothing. Shipped ones are not examined: they may speak of skills that a user does not have.
 */
export function unmatchedSkillRules(
  { file, keys }: Pick<Definition, 'file' | 'keys'>,
  skills: readonly Pick<Skill, 'name' | 'tags'>[],
  { productKeys }: SkillRules,
  many: DefinitionWords['many'] = 'facets',
): Diagnostic[] {
  if (file === null) return [];
  const source = fileSource(file);
  const section = productSection(file, productKeys).key;
  const known = [
    ...skills.map(({ name }) => name),
    ...new Set(skills.flatMap(({ tags }) => tags.map((tag) => `tag!${tag}`))),
  ];
  const lists = { skills_allow: keys.skillsAllow, skills_deny: keys.skillsDeny };
  return Object.entries(lists).flatMap(([key, entries]) =>
    entries
      .filter((entry) => accessibleSkills(skills, { skillsAllow: [entry], skillsDeny: [] }).length === 0)
      .slice(0, MAX_TOLD)
      .map((entry) => {
        const near = nearest(entry, known);
        const hint = near === undefined ? '' : `; did you mean ${near}?`;
        const message = `${key}: ${shownName(entry)} matches no skill${hint}`;
        return keyDiagnostic(source, 'warning', `${many}/unknown-skill`, message, [section ?? '', key], entry);
      }),
  );
}
