import type { HarnessSettings, SourceQuery } from '../../model/index.ts';
import { templateQueries } from './prompt-template.ts';
import { skillQueries } from './skill-sources.ts';

/** 2 MiB. */
const CAP = 2 * 1024 * 1024;

/** What finds `AGENTS.md` beside the code, and in `.kimi/`. */
export const AGENTS_KIND = 'context-file';
export const KIMI_AGENTS_KIND = 'kimi-context-file';

function agentsQuery(kind: string, inside: string | null, names: readonly string[]): SourceQuery {
  return {
    kind,
    names,
    places: [{ at: 'walk', to: 'repository-or-here', ...(inside === null ? {} : { inside }) }],
    match: 'exact',
    order: 'outermost-first',
    perDirectory: 'first',
    take: 'all',
    dedupe: 'none',
    cap: CAP,
    overCap: 'cut',
    blank: 'absent',
    decode: 'strict',
    writableByOthers: 'notice',
    followStubs: false,
    refresh: 'request',
  };
}

/** Read for each request: AGENTS.md from the repository's root to the working directory, skills, the user's template. */
export function kimiSources(settings: HarnessSettings): readonly SourceQuery[] {
  return [
    agentsQuery(KIMI_AGENTS_KIND, '.kimi', ['AGENTS.md']),
    agentsQuery(AGENTS_KIND, null, ['AGENTS.md', 'agents.md']),
    ...skillQueries(settings),
    ...templateQueries(settings),
  ];
}
