import type { HarnessSettings, SourceQuery } from '../../model/index.ts';
import { overrideQueries } from '../override-queries.ts';

/** Largest instruction file whose body is sent, bytes: `harnesses.rein.max_file_bytes`. */
const DEFAULT_MAX_FILE_BYTES = 64 * 1024;

/** The setting where it is usable; the default otherwise. */
function maxFileBytes(settings: HarnessSettings): number {
  const own = settings.own.max_file_bytes;
  return typeof own === 'number' && Number.isSafeInteger(own) && own >= 0 ? own : DEFAULT_MAX_FILE_BYTES;
}

const REST = { followStubs: true, writableByOthers: 'skip' } as const;

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
      perDirectory: 'first',
      take: 'all',
      dedupe: 'real-path',
      cap: maxFileBytes(settings),
      overCap: 'path-only',
      blank: 'absent',
      decode: 'sniff',
      refresh: 'turn',
    },
    // Not at every turn: the system prompt stays as it is until the person asks for a reload.
    ...overrideQueries({ ...REST, inside: '.rein', userDirectory, refresh: 'startup' }),
  ];
}
