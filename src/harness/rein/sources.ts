import type { HarnessSettings, SourceQuery } from '../../model/index.ts';

/** Of SYSTEM.md and APPEND_SYSTEM.md. */
const OVERRIDE_CAP = 2 * 1024 * 1024;

/** Largest instruction file whose body is sent, bytes: `harnesses.rein.max_file_bytes`. */
const DEFAULT_MAX_FILE_BYTES = 64 * 1024;

/** The setting where it is usable; the default otherwise. */
function maxFileBytes(settings: HarnessSettings): number {
  const own = settings.own.max_file_bytes;
  return typeof own === 'number' && Number.isSafeInteger(own) && own >= 0 ? own : DEFAULT_MAX_FILE_BYTES;
}

const REST = {
  perDirectory: 'first',
  dedupe: 'real-path',
  blank: 'absent',
  decode: 'sniff',
  followStubs: true,
} as const;

function overrideQuery(kind: 'override' | 'append', name: string, userDirectory: string): SourceQuery {
  return {
    ...REST,
    kind,
    names: [name],
    match: 'exact',
    places: [
      { at: 'project', inside: '.rein', scope: 'project', reportNearer: true },
      { at: 'directory', path: userDirectory, scope: 'user' },
    ],
    order: 'listed',
    take: 'first',
    cap: OVERRIDE_CAP,
    overCap: 'skip',
    writableByOthers: 'skip',
    // Not at every turn: the system prompt stays as it is until the person asks for a reload.
    refresh: 'startup',
  };
}

/** Where rein's texts live. The chain: user, the file system's ancestors down to the working directory, the stack. */
export function reinSources(settings: HarnessSettings): readonly SourceQuery[] {
  const userDirectory = `${settings.configHome}/rein`;
  return [
    {
      ...REST,
      kind: 'context-file',
      names: ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md'],
      match: 'any-case',
      places: [
        { at: 'directory', path: userDirectory, scope: 'user' },
        { at: 'walk', to: 'file-system' },
        { at: 'stack' },
      ],
      order: 'outermost-first',
      take: 'all',
      cap: maxFileBytes(settings),
      overCap: 'path-only',
      writableByOthers: 'skip',
      refresh: 'turn',
    },
    overrideQuery('override', 'SYSTEM.md', userDirectory),
    overrideQuery('append', 'APPEND_SYSTEM.md', userDirectory),
  ];
}
