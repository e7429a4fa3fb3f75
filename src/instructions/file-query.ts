import type { Scope, SourceQuery } from '../model/index.ts';

/** One file of a known path, absolute, where nothing else is said: read as it is, wherever it lies. */
export function fileQuery(
  kind: string,
  path: string,
  rules: Pick<SourceQuery, 'cap'> & Partial<SourceQuery>,
  scope: Scope = 'extra',
): SourceQuery {
  return {
    kind,
    places: [{ at: 'file', path, scope }],
    names: [],
    match: 'exact',
    order: 'listed',
    perDirectory: 'first',
    take: 'all',
    dedupe: 'none',
    overCap: 'skip',
    blank: 'present',
    decode: 'sniff',
    writableByOthers: 'ignore',
    followStubs: false,
    refresh: 'request',
    ...rules,
  };
}
