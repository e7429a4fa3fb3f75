import type { HarnessSettings, SourceQuery } from '../../model/index.ts';
import { overrideQueries } from '../override-queries.ts';

/** 2 MiB, inclusive (seed 000). */
const CAP = 2 * 1024 * 1024;

const REST = { followStubs: false, writableByOthers: 'notice', refresh: 'turn' } as const;

/** Where kli's texts live (seed 000): read anew for every submission. */
export function kliSources(settings: HarnessSettings): readonly SourceQuery[] {
  const userDirectory = `${settings.configHome}/kli`;
  return [
    {
      ...REST,
      kind: 'context-file',
      names: ['AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'],
      places: [
        { at: 'directory', path: userDirectory, scope: 'user' },
        { at: 'walk', to: 'repository' },
      ],
      match: 'exact',
      order: 'outermost-first',
      perDirectory: 'first',
      take: 'all',
      dedupe: 'real-path',
      cap: CAP,
      overCap: 'next-name',
      blank: 'present',
      decode: 'sniff',
    },
    ...overrideQueries({ ...REST, inside: '.kli', userDirectory }),
  ];
}
