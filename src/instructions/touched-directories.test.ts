import { describe, expect, test } from 'vitest';
import { contextFile, foundFile } from '../../test/rig/found-file.ts';
import { emptySession } from '../../test/rig/session-state.ts';
import type { Batch, Delivery, FileObservation, SourceQuery, World } from '../model/index.ts';
import { NOTHING_DELIVERED } from './delivery.ts';
import { discovered, type TouchedView, touchedQueries } from './touched-directories.ts';

const RULES: Omit<SourceQuery, 'kind' | 'places'> = {
  names: ['AGENTS.md'],
  match: 'any-case',
  order: 'outermost-first',
  perDirectory: 'first',
  take: 'all',
  dedupe: 'real-path',
  cap: 100,
  overCap: 'path-only',
  blank: 'absent',
  decode: 'sniff',
  writableByOthers: 'skip',
  followStubs: true,
  refresh: 'turn',
};

function view(fields: Partial<World> = {}, project = '/repo'): TouchedView {
  const world: World = {
    files: [],
    searched: [],
    diagnostics: [],
    projectRoot: project,
    cwd: project,
    stack: [project],
    platform: { os: 'linux', shell: '/bin/sh', home: '/home/ada' },
    git: null,
    ...fields,
  };
  return { world, session: emptySession('s', project), project };
}

type Result = Batch['results'][number];

function result(touched: readonly string[], fields: Partial<Result> = {}): Result {
  return { call: { id: 'c', name: 'read', arguments: '{}' }, status: 'ok', touched, observed: [], ...fields };
}

function seen(path: string, how: FileObservation['how']): FileObservation {
  return { path, size: 1, mtimeMs: 0, sha256: 'x', how, complete: true, decorated: false };
}

function directories(results: readonly Result[], given: TouchedView = view()): string[] {
  const queries = touchedQueries({ assistant: 'a', results }, given, RULES);
  return queries.flatMap(({ places }) => places.map((place) => ('path' in place ? place.path : place.at)));
}

describe('touchedQueries', () => {
  test('one query asks in the directories around what was touched, the outermost first, inside the project', () => {
    const read = result(['/repo/web/src/a.ts'], { observed: [seen('/repo/web/src/a.ts', 'read')] });
    expect(touchedQueries({ assistant: 'a', results: [read] }, view(), RULES)).toEqual([
      {
        ...RULES,
        kind: 'discovered-file',
        places: [
          { at: 'directory', path: '/repo/web', scope: 'directory' },
          { at: 'directory', path: '/repo/web/src', scope: 'directory' },
        ],
        order: 'listed',
        within: ['/repo'],
        refresh: 'request',
      },
    ]);
  });

  test('a directory counts itself; of a path that was not observed the search decides', () => {
    const listed = result([], { observed: [seen('/repo/a/b', 'listed')] });
    expect(directories([listed])).toEqual(['/repo/a', '/repo/a/b']);
    expect(directories([result(['/repo/c/gone.ts'], { status: 'error' })])).toEqual(['/repo/c', '/repo/c/gone.ts']);
  });

  test('what was denied or stopped touched nothing, nor did what lies outside', () => {
    expect(
      directories([
        result(['/repo/a/x'], { status: 'denied' }),
        result(['/repo/b/x'], { status: 'aborted' }),
        result(['/etc/x', '/repository/x', '/repo', 'relative/x']),
      ]),
    ).toEqual([]);
  });

  test('directories of the chain are left out: those above the start, on the stack, and searched for it', () => {
    const searched = [
      { kind: 'context-file', directory: '/repo/lib', scope: 'directory', looked: [], took: null, why: '' } as const,
    ];
    const started = view({ stack: ['/repo/app/core', '/repo/tools/x'], searched });
    const touched = ['/repo/app/core/deep', '/repo/tools/x/y', '/repo/lib/z'];
    expect(directories([result(touched)], started)).toEqual([
      '/repo/tools',
      '/repo/lib/z',
      '/repo/app/core/deep',
      '/repo/tools/x/y',
    ]);
  });

  test('after the first 64 directories no more are searched', () => {
    const touched = Array.from({ length: 100 }, (_, index) => `/repo/d${String(index).padStart(3, '0')}`);
    expect(directories([result(touched)])).toEqual(touched.slice(0, 64));
  });

  test('a project at the root of the file system has its directories searched too', () => {
    expect(directories([result(['/a/b'])], view({}, '/'))).toEqual(['/a', '/a/b']);
  });
});

describe('discovered', () => {
  test('found files that were not given yet are due, each once, the most general first', () => {
    const files = ['/repo/a/b/AGENTS.md', '/repo/z/AGENTS.md', '/repo/a/AGENTS.md', '/repo/c/AGENTS.md'].map((path) =>
      foundFile('discovered-file', path, path),
    );
    const twice = foundFile('discovered-file', '/repo/y/AGENTS.md', '', { realPath: '/repo/a/AGENTS.md' });
    const delivery: Delivery = {
      ...NOTHING_DELIVERED,
      chain: [contextFile('/repo/c/AGENTS.md', '').realPath],
      files: { '/repo/z/AGENTS.md': { event: 'e', sha256: 'x' } },
    };
    expect(discovered([...files, twice], delivery).map(({ path }) => path)).toEqual([
      '/repo/a/AGENTS.md',
      '/repo/a/b/AGENTS.md',
    ]);
  });
});
