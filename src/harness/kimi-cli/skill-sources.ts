import type { HarnessSettings, Place, SourceQuery } from '../../model/index.ts';

/** Scopes as the prompt names them, the first to be asked first. */
export const SKILL_SCOPES = ['Project', 'User', 'Extra', 'Built-in'] as const;
export type SkillScope = (typeof SKILL_SCOPES)[number];

/** 256 KiB. */
const CAP = 256 * 1024;
const BRANDS = ['.kimi', '.claude', '.codex'];

/** The kind of what the query for one scope finds. */
export function skillKind(scope: SkillScope): string {
  return `skill:${scope}`;
}

/** The first of these that is a directory, an empty one too (spec/kimi-cli.md 7.1). */
function firstOf(scope: 'project' | 'user' | 'extra', [path = '', ...orElse]: readonly string[]): Place {
  return { at: 'directory', path, orElse, scope, each: true };
}

function query(scope: SkillScope, places: readonly Place[]): SourceQuery {
  return {
    kind: skillKind(scope),
    names: ['SKILL.md'],
    places,
    match: 'exact',
    order: 'listed',
    perDirectory: 'first',
    take: 'all',
    dedupe: 'none',
    cap: CAP,
    overCap: 'skip',
    blank: 'absent',
    decode: 'strict',
    writableByOthers: 'ignore',
    followStubs: false,
    refresh: 'request',
  };
}

/** Where skills are looked for, a query for each scope that has a place. What is shipped stands in where all are empty. */
export function skillQueries({ cwd, home, skillDirs }: HarnessSettings): readonly SourceQuery[] {
  const inDirectory = (directory: string): string[] => BRANDS.map((brand) => `${directory}/${brand}/skills`);
  const { extra = [], original = null, shipped = null } = skillDirs ?? {};
  const builtIn = [...(original === null ? [] : [original]), ...(shipped === null ? [] : [shipped])];
  return [
    query('Project', [firstOf('project', inDirectory(cwd)), firstOf('project', [`${cwd}/.agents/skills`])]),
    query('User', [
      firstOf('user', inDirectory(home)),
      firstOf('user', [`${home}/.config/agents/skills`, `${home}/.agents/skills`]),
    ]),
    ...(extra.length === 0
      ? []
      : [
          query(
            'Extra',
            extra.map((path) => firstOf('extra', [path])),
          ),
        ]),
    ...(builtIn.length === 0
      ? []
      : [
          query(
            'Built-in',
            builtIn.map((path) => firstOf('extra', [path])),
          ),
        ]),
  ];
}
