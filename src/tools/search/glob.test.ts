import { expect, test } from 'vitest';
import { createMemoryHost, type MemoryHostOptions } from '../../host/memory/index.ts';
import type { GlobArgs, GlobValue, ToolOutcome } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { glob } from './glob.ts';

const FILES = {
  '/w/.gitignore': 'dist/\n*.log\n!keep.log\n',
  '/w/dist/out.js': '',
  '/w/a.log': '',
  '/w/keep.log': '',
  '/w/src/a.ts': '',
  '/w/src/[id].tsx': '',
  '/w/src/lib/b.ts': '',
  '/w/src/.git/c.ts': '',
  '/w/to-src': { link: 'src' },
  '/w/to-file': { link: 'src/a.ts' },
  '/elsewhere/x.ts': '',
} as const;

function list(args: GlobArgs, files: MemoryHostOptions['files'] = FILES): Promise<ToolOutcome<GlobValue>> {
  return glob(args, testContext(createMemoryHost({ files, cwd: '/w' })));
}

async function names(args: GlobArgs): Promise<unknown> {
  const outcome = await list(args);
  if ('error' in outcome) return outcome.error.code;
  const { root, entries } = outcome.value;
  return [root, ...entries.map(({ path, directory }) => `${path}${directory ? '/' : ''}`)];
}

test('files that match, in the order of the tree, ignored ones and .git left out', async () => {
  expect(await list({ pattern: '**' })).toEqual({
    value: {
      root: '/w',
      entries: ['.gitignore', 'keep.log', 'src/[id].tsx', 'src/a.ts', 'src/lib/b.ts'].map((path) => ({
        path,
        directory: false,
      })),
      total: 5,
      stopped: null,
      gaps: { unreadable: 0 },
    },
    observed: [],
  });
});

test.each<[args: GlobArgs, found: unknown]>([
  [{ pattern: 'src/*.ts' }, ['/w/src', 'a.ts']],
  [{ pattern: '*.ts', path: 'src' }, ['/w/src', 'a.ts']],
  [{ pattern: '/elsewhere/*' }, ['/elsewhere', 'x.ts']],
  [{ pattern: '../elsewhere/*' }, ['/elsewhere', 'x.ts']],
  [{ pattern: 'src' }, ['/w/src', '[id].tsx', 'a.ts', 'lib/b.ts']],
  [{ pattern: 'to-src/*.ts' }, ['/w/src', 'a.ts']],
  [{ pattern: 'src/a.ts' }, ['/w/src/a.ts', '']],
  [{ pattern: 'src/a.ts/*' }, ['/w/src/a.ts']],
  [{ pattern: 'nowhere/*' }, ['/w/nowhere']],
  [{ pattern: 'src/\\[id\\].tsx' }, ['/w/src', '[id].tsx']],
  [{ pattern: 'dist/*' }, ['/w/dist', 'out.js']],
  [{ pattern: '*', ignored: true }, ['/w', '.gitignore', 'a.log', 'keep.log']],
  [
    { pattern: '*', ignored: true, directories: true },
    ['/w', '.gitignore', 'a.log', 'dist/', 'keep.log', 'src/', 'to-file'],
  ],
  [{ pattern: '*', directories: 'and-links' }, ['/w', '.gitignore', 'keep.log', 'src/', 'to-file', 'to-src/']],
  [{ pattern: 'to-*/**', directories: 'and-links' }, ['/w']],
  [{ pattern: '*/../../*' }, 'glob/bad-pattern'],
  [{ pattern: ' ' }, 'glob/bad-pattern'],
  [{ pattern: '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}' }, 'glob/bad-pattern'],
])('%j', async (args, found) => {
  expect(await names(args)).toEqual(found);
});

test('all matches are counted where not all are shown', async () => {
  const outcome = await list({ pattern: '**', limit: 2 });
  expect('value' in outcome && [outcome.value.entries.length, outcome.value.total, outcome.value.stopped]).toEqual([
    2,
    5,
    'limit',
  ]);
});

test('a pattern of few names looks no deeper than they reach', async () => {
  const host = createMemoryHost({ files: FILES, cwd: '/w' });
  await glob({ pattern: '*' }, testContext(host));
  expect(host.calls['files.list']).toBe(1);
});

test('names can come from the directory that was named, whatever the pattern begins with', async () => {
  const from = (pattern: string, path: string): Promise<unknown> => names({ pattern, path, fromPath: true });
  expect([
    await from('lib/*.ts', 'src'),
    await from('*', 'to-src'),
    await from('src/a.ts', '.'),
    await from('none/*', 'src'),
    await from('*', 'none'),
    await from('*', 'src/a.ts'),
  ]).toEqual([
    ['/w/src', 'lib/b.ts'],
    ['/w/to-src', '[id].tsx', 'a.ts'],
    ['/w', 'src/a.ts'],
    ['/w/src'],
    'glob/absent',
    'glob/not-directory',
  ]);
});

test('a caller may have room of its own for names', async () => {
  const context = testContext(createMemoryHost({ files: FILES, cwd: '/w' }), { limits: { resultBytes: 1 } });
  const found = await Promise.all([{}, { bytes: 100 }].map((more) => glob({ pattern: 'src/*.ts', ...more }, context)));
  expect(found.map((outcome) => 'value' in outcome && [outcome.value.entries.length, outcome.value.stopped])).toEqual([
    [0, 'size'],
    [1, null],
  ]);
});
