import type { HarnessSettings, SourceQuery } from '../../model/index.ts';

/** 2 MiB, inclusive (seed 000). */
const CAP = 2 * 1024 * 1024;

const REST = {
  match: 'exact',
  perDirectory: 'first',
  dedupe: 'real-path',
  cap: CAP,
  decode: 'sniff',
  followStubs: false,
  refresh: 'turn',
} as const;

function overrideQuery(kind: 'override' | 'append', name: string, userDirectory: string): SourceQuery {
  return {
    ...REST,
    kind,
    names: [name],
    places: [
      { at: 'project', inside: '.kli', scope: 'project', reportNearer: true },
      { at: 'directory', path: userDirectory, scope: 'user' },
    ],
    order: 'listed',
    take: 'first',
    overCap: 'skip',
    blank: 'absent',
    writableByOthers: 'notice',
  };
}

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
      order: 'outermost-first',
      take: 'all',
      overCap: 'next-name',
      blank: 'present',
      writableByOthers: 'notice',
    },
    overrideQuery('override', 'SYSTEM.md', userDirectory),
    overrideQuery('append', 'APPEND_SYSTEM.md', userDirectory),
  ];
}
