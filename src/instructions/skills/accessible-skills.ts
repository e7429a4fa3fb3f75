import { nearest } from '../../base/index.ts';
import { listedNames, shownName } from '../facets/definition-name.ts';
import type { Skill } from './skill.ts';

const TAG = 'tag!';

type Named = Pick<Skill, 'name' | 'tags'>;

function isListed({ name, tags }: Named, entry: string): boolean {
  return entry === name || (entry.startsWith(TAG) && tags.includes(entry.slice(TAG.length)));
}

/**
 * The skills that a facet allows, in the order given. A list that allows nothing which exists allows nothing; an empty
 * one allows all. What is denied is taken away after that.
 */
export function accessibleSkills<S extends Named>(
  skills: readonly S[],
  { skillsAllow, skillsDeny }: { skillsAllow: readonly string[]; skillsDeny: readonly string[] },
): S[] {
  return skills.filter(
    (skill) =>
      (skillsAllow.length === 0 || skillsAllow.some((entry) => isListed(skill, entry))) &&
      !skillsDeny.some((entry) => isListed(skill, entry)),
  );
}

/** Those that the model is told of. */
export function visibleSkills<S extends Pick<Skill, 'hidden'>>(accessible: readonly S[]): S[] {
  return accessible.filter(({ hidden }) => !hidden);
}

/** One line that says that there is no such skill, which is near, and which there are. */
export function unknownSkill(name: string, names: readonly string[]): string {
  const near = nearest(name, names);
  const hint = near === undefined ? '' : `did you mean ${shownName(near)}? `;
  const all = names.length === 0 ? 'there are none' : `there are: ${listedNames(names)}`;
  return `there is no skill ${shownName(name)}; ${hint}${all}`;
}
