import type { HarnessSettings, SourceQuery } from '../../model/index.ts';
import { templateQueries } from './prompt-template.ts';

/** 2 MiB. */
const CAP = 2 * 1024 * 1024;

/** AGENTS.md as spec/kimi-cli.md 6 has it: from the repository's root to the working directory, read for each request. */
export function kimiSources(settings: HarnessSettings): readonly SourceQuery[] {
  return [
    {
      kind: 'context-file',
      names: ['AGENTS.md', 'agents.md'],
      places: [{ at: 'walk', to: 'repository-or-here' }],
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
    },
    ...templateQueries(settings),
  ];
}
