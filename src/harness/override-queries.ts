import type { SourceQuery } from '../model/index.ts';

/** Of SYSTEM.md and APPEND_SYSTEM.md: 2 MiB, inclusive (seed 000). */
const CAP = 2 * 1024 * 1024;

type OverrideRules = Pick<SourceQuery, 'followStubs' | 'writableByOthers' | 'refresh'> & {
  /** The project's directory for them: `.kli`. */
  inside: string;
  /** The user's, absolute. */
  userDirectory: string;
  /** Whose project it is; see `Place`. */
  from?: 'session-start';
};

/**
 * SYSTEM.md, which replaces the base prompt, and APPEND_SYSTEM.md, which follows it: each by itself, the project's
 * before the user's, the first that has content.
 */
export function overrideQueries({ inside, userDirectory, from, ...rules }: OverrideRules): readonly SourceQuery[] {
  const query = (kind: 'override' | 'append', name: string): SourceQuery => ({
    ...rules,
    kind,
    names: [name],
    places: [
      {
        at: 'project',
        inside,
        scope: 'project',
        reportNearer: true,
        ...(from === undefined ? {} : { from }),
      },
      { at: 'directory', path: userDirectory, scope: 'user' },
    ],
    match: 'exact',
    order: 'listed',
    perDirectory: 'first',
    take: 'first',
    dedupe: 'real-path',
    cap: CAP,
    overCap: 'skip',
    blank: 'absent',
    decode: 'sniff',
  });
  return [query('override', 'SYSTEM.md'), query('append', 'APPEND_SYSTEM.md')];
}
