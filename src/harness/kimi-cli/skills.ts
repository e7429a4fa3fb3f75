import { compareCodePoints } from '../../base/index.ts';
import { filesOf, joinLaid, lay, makePiece } from '../../instructions/index.ts';
import type { HarnessSettings, Laid, Origin, Turn, World } from '../../model/index.ts';
import { sessionSkills } from './session-skills.ts';
import { readSkillHead } from './skill-front-matter.ts';
import { SKILL_SCOPES, type SkillScope, skillKind } from './skill-sources.ts';

export type KimiSkill = { name: string; description: string; path: string; scope: SkillScope; origin: Origin };

/** Skills of one request, and of one of them. */
const MOST = 200;
const MAX_DESCRIPTION = 4096;

function onDisk(world: World): KimiSkill[] {
  return SKILL_SCOPES.flatMap((scope) =>
    filesOf(world.files, skillKind(scope)).flatMap((file) => {
      const head = readSkillHead(file.text);
      if (head === null) return [];
      const description = head.description.slice(0, MAX_DESCRIPTION).toWellFormed();
      const origin = { type: 'file', path: file.path, scope: file.scope } as const;
      return [{ name: head.name, description, path: file.path, scope, origin }];
    }),
  );
}

/** Of those of one name, whatever its case, the first; in the order of their names. */
function firstOfEach(skills: readonly KimiSkill[], seen: Set<string>): KimiSkill[] {
  const kept = skills.filter(({ name }) => {
    const key = name.toLowerCase();
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  return kept.sort((left, right) => compareCodePoints(left.name, right.name));
}

function isShipped({ path }: KimiSkill, { skillDirs }: HarnessSettings): boolean {
  return skillDirs !== undefined && path.startsWith(`${skillDirs.shipped}/`);
}

/** What the model is told of: what lies on the disk, then the session's own; where there is none, what is shipped. */
export function kimiSkills({ world, settings }: Pick<Turn, 'world' | 'settings'>): readonly KimiSkill[] {
  const all = onDisk(world);
  const seen = new Set<string>();
  const own = firstOfEach(
    all.filter((skill) => !isShipped(skill, settings)),
    seen,
  );
  const session = firstOfEach(sessionSkills(settings), seen);
  const found = [...own, ...session].slice(0, MOST);
  return found.length > 0 ? found : firstOfEach(all, new Set());
}

function entry({ name, path, description, scope, origin }: KimiSkill): Laid {
  const piece = makePiece({
    id: `skill-list:${path}`,
    kind: 'skill-list',
    origin,
    placement: 'system',
    rule: 'The model knows of a skill by name, path and description; of one name the first scope counts.',
    requirement: scope === 'Built-in' ? 'M56' : 'M55',
    text: `- ${name}\n  - Path: ${path}\n  - Description: ${description}`,
  });
  return lay(piece, 'every-request');
}

/** By scope, each skill in three lines (spec/kimi-cli.md 7.5). */
export function skillListing(skills: readonly KimiSkill[]): Laid {
  const scopes = SKILL_SCOPES.map((scope) => ({ scope, those: skills.filter((skill) => skill.scope === scope) }));
  const parts = scopes
    .filter(({ those }) => those.length > 0)
    .map(({ scope, those }, index) =>
      joinLaid(index === 0 ? '' : '\n\n', `### ${scope}`, ...those.flatMap((skill) => ['\n', entry(skill)])),
    );
  return joinLaid(...parts);
}
