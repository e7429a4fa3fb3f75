import { expect, test } from 'vitest';
import { createMemoryHost, type MemoryHost, type MemoryHostOptions } from '../../host/memory/index.ts';
import type { GrepArgs, GrepValue, ToolOutcome } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { grep } from './grep.ts';
import { SEARCH_BOUNDS } from './search-bounds.ts';

const FILES = {
  '/w/.git/config': 'tally',
  '/w/.gitignore': 'dist/\n',
  '/w/dist/out.js': 'tally',
  '/w/src/a.ts': 'one\nlet tally = 1;\nthree\nfour\n',
  '/w/src/b.ts': 'tally tally\nTALLY\n',
  '/w/README.md': 'No match.\n',
} as const;

function search(args: GrepArgs, files: MemoryHostOptions['files'] = FILES): Promise<ToolOutcome<GrepValue>> {
  return grep(args, testContext(createMemoryHost({ files, cwd: '/w' })));
}

const NOTHING = {
  root: '/w',
  mode: 'content',
  files: [],
  stopped: null,
  gaps: { unreadable: 0 },
} as const;

test('matching lines come with their numbers, ignored files and .git left out', async () => {
  expect(await search({ pattern: 'tally' })).toEqual({
    value: {
      ...NOTHING,
      files: [
        { path: 'src/a.ts', count: 1, rows: [{ line: 2, match: true, text: 'let tally = 1;' }] },
        { path: 'src/b.ts', count: 1, rows: [{ line: 1, match: true, text: 'tally tally' }] },
      ],
    },
    observed: [],
  });
});

test('lines around a match are shown once and are not matches', async () => {
  const found = await search({ pattern: 'tally|four', path: 'src/a.ts', before: 1, after: 1 });
  expect(found).toEqual({
    value: {
      ...NOTHING,
      root: '/w/src',
      files: [
        {
          path: 'a.ts',
          count: 2,
          rows: [
            { line: 1, match: false, text: 'one' },
            { line: 2, match: true, text: 'let tally = 1;' },
            { line: 3, match: false, text: 'three' },
            { line: 4, match: true, text: 'four' },
          ],
        },
      ],
    },
    observed: [],
  });
});

test('files and counts are told without lines', async () => {
  const file = (path: string, count: number) => ({ path, count, rows: [] });
  expect(await search({ pattern: 'tally', mode: 'files', ignoreCase: true })).toEqual({
    value: { ...NOTHING, mode: 'files', files: [file('src/a.ts', 0), file('src/b.ts', 0)] },
    observed: [],
  });
  expect(await search({ pattern: 'tally', mode: 'count', ignoreCase: true, glob: 'b.*' })).toEqual({
    value: { ...NOTHING, mode: 'count', files: [file('src/b.ts', 3)] },
    observed: [],
  });
});

test('more matches than were asked for are said to be there', async () => {
  const found = await search({ pattern: 'tally', limit: 1 });
  expect(found).toEqual({
    value: {
      ...NOTHING,
      files: [{ path: 'src/a.ts', count: 1, rows: [{ line: 2, match: true, text: 'let tally = 1;' }] }],
      stopped: 'limit',
    },
    observed: [],
  });
});

test('all rows together keep within the size of a result', async () => {
  const files = { '/w/a.txt': `${'tally '.repeat(50)}\n`.repeat(5000) };
  const outcome = await search({ pattern: 'tally', limit: 10_000 }, files);
  const value = 'value' in outcome ? outcome.value : null;
  const rows = value?.files.flatMap((file) => file.rows) ?? [];
  const size = rows.reduce((sum, row) => sum + row.text.length + 12, 0);
  expect([value?.stopped, size > 40_000, size <= 48 * 1024]).toEqual(['size', true, true]);
});

test('a match in a long line is shown with what is around it; a binary file is named, its lines are not shown', async () => {
  const files = {
    '/w/lib.min.js': `${'x'.repeat(1_000_000)}tally${'y'.repeat(1_000_000)}`,
    '/w/picture.png': 'tally\0\u0001\n',
  };
  expect(await search({ pattern: 'tally', lineLength: 20 }, files)).toEqual({
    value: {
      ...NOTHING,
      files: [
        {
          path: 'lib.min.js',
          count: 1,
          rows: [{ line: 1, match: true, text: 'xxxxxxxxtallyyyyyyyy', cut: [999_992, 999_993] }],
        },
        { path: 'picture.png', count: 0, rows: [], binary: true },
      ],
    },
    observed: [],
  });
});

test('what cannot be searched is a failure that says why', async () => {
  const failures = [
    await search({ pattern: 'a(' }),
    await search({ pattern: '' }),
    await search({ pattern: 'a', glob: '{a,b}'.repeat(20) }),
    await search({ pattern: 'a', path: 'nowhere' }),
    await search({ pattern: 'a', path: 'pipe' }, { '/w/pipe': { fifo: true } }),
  ];
  expect(failures.map((outcome) => ('error' in outcome ? [outcome.error.code, outcome.error.message] : null))).toEqual([
    ['grep/bad-pattern', 'The search was refused: Invalid regular expression: /a(/su: Unterminated group'],
    ['grep/bad-pattern', 'The pattern must have 1 to 8192 characters.'],
    ['grep/bad-glob', `${'{a,b}'.repeat(20)} is no usable pattern of names.`],
    ['grep/absent', '/w/nowhere does not exist.'],
    ['grep/not-regular', '/w/pipe is a fifo, neither a file nor a directory.'],
  ]);
});

test('a search ends where its bounds say, and says which', async () => {
  const context = testContext(createMemoryHost({ files: FILES, cwd: '/w' }));
  const stops = async (bounds: Partial<typeof SEARCH_BOUNDS>, signal = context.signal): Promise<unknown> => {
    const outcome = await grep({ pattern: 'nothing' }, { ...context, signal }, { ...SEARCH_BOUNDS, ...bounds });
    return 'value' in outcome ? outcome.value.stopped : outcome.error;
  };
  expect([await stops({ entries: 2 }), await stops({ timeMs: 0 }), await stops({ depth: 1 })]).toEqual([
    'extent',
    'time',
    'extent',
  ]);
  expect(await stops({}, AbortSignal.abort())).toBe('aborted');
});

test('what cannot be read is counted', async () => {
  const host = createMemoryHost({ files: FILES, cwd: '/w' });
  host.faults.refuse['/w/src/a.ts'] = 'EACCES';
  host.faults.refuse['/w/dist'] = 'EACCES';
  const outcome = await grep({ pattern: 'let' }, testContext(host));
  expect(outcome).toEqual({ value: { ...NOTHING, gaps: { unreadable: 1 } }, observed: [] });
});

test('files that the permissions keep from this call are left out, and nothing tells that they match', async () => {
  const mayRead = async (path: string): Promise<boolean> => path !== '/w/src/b.ts';
  const outcome = await grep(
    { pattern: 'tally', mode: 'files' },
    testContext(createMemoryHost({ files: FILES, cwd: '/w' }), { mayRead }),
  );
  expect(outcome).toEqual({
    value: {
      ...NOTHING,
      mode: 'files',
      files: [{ path: 'src/a.ts', count: 0, rows: [] }],
      gaps: { unreadable: 0 },
    },
    observed: [],
  });
});

type Spawned = { file: string; env: Readonly<Record<string, string>> };

function programs(host: MemoryHost): Spawned[] {
  return host.process.spawned.map(({ file, env }) => ({ file, env }));
}

const EVENTS = [
  { type: 'begin', data: { path: { text: './src/a.ts' } } },
  {
    type: 'match',
    data: {
      path: { text: './src/a.ts' },
      lines: { bytes: Buffer.from('caf\xe9 tally\n', 'latin1').toString('base64') },
      line_number: 7,
      submatches: [{ start: 5, end: 10 }],
    },
  },
  { type: 'end', data: { path: { text: './src/a.ts' }, binary_offset: null } },
];

test('a ripgrep on the path is used, but none that the working directory holds, nor one that cannot be executed', async () => {
  const host = createMemoryHost({
    files: {
      ...FILES,
      '/w/bin/rg': { content: '', mode: 0o755 },
      '/outside/rg': { link: '/w/bin/rg' },
      '/plain/rg': 'no program',
      '/usr/bin/rg': { content: '', mode: 0o755 },
    },
    cwd: '/w',
    sleep: 'manual',
    processes: () => ({ output: [EVENTS.map((event) => `${JSON.stringify(event)}\n`).join('')] }),
  });
  const childEnv = { PATH: './bin:/w/bin::/outside:/plain:/usr/bin', SECRET: 'x' };
  expect(await grep({ pattern: 'tally' }, testContext(host, { childEnv }))).toEqual({
    value: {
      ...NOTHING,
      files: [{ path: 'src/a.ts', count: 1, rows: [{ line: 7, match: true, text: 'caf\ufffd tally' }] }],
    },
    observed: [],
  });
  expect(programs(host)).toEqual([{ file: '/usr/bin/rg', env: {} }]);
});

test('a ripgrep that is too old or broken is passed over', async () => {
  const host = createMemoryHost({
    files: { ...FILES, '/a/rg': { content: '', mode: 0o755 }, '/b/rg': { content: '', mode: 0o755 } },
    cwd: '/w',
    sleep: 'manual',
    processes: ({ file }) =>
      file === '/a/rg'
        ? { output: [{ stream: 'stderr', bytes: Buffer.from('error: Found argument --sort') }], exit: 2 }
        : { exit: { code: null, signal: 'SIGILL' } },
  });
  const found = await grep({ pattern: 'let' }, testContext(host, { childEnv: { PATH: '/a:/b' } }));
  expect('value' in found && found.value.files.map(({ path }) => path)).toEqual(['src/a.ts']);
  expect(programs(host).map(({ file }) => file)).toEqual(['/a/rg', '/b/rg']);
});

test('ripgrep’s own refusal is told, what it could not read is counted', async () => {
  const run = (stderr: string): Promise<ToolOutcome<GrepValue>> => {
    const host = createMemoryHost({
      files: { ...FILES, '/a/rg': { content: '', mode: 0o755 } },
      cwd: '/w',
      sleep: 'manual',
      processes: () => ({ output: [{ stream: 'stderr', bytes: Buffer.from(stderr) }], exit: 2 }),
    });
    return grep({ pattern: 'let' }, testContext(host, { childEnv: { PATH: '/a' } }));
  };
  expect(await run('rg: regex parse error:\n    a(\n     ^\nerror: unclosed group\n')).toEqual({
    error: {
      code: 'grep/bad-pattern',
      message: 'The search was refused: regex parse error:\n    a(\n     ^\nerror: unclosed group',
    },
    observed: [],
  });
  expect(await run('rg: ./x: Permission denied (os error 13)\n')).toEqual({
    value: { ...NOTHING, gaps: { unreadable: 1 } },
    observed: [],
  });
});

test('a ripgrep that does not end is killed when the time is up', async () => {
  const host = createMemoryHost({
    files: { ...FILES, '/a/rg': { content: '', mode: 0o755 } },
    cwd: '/w',
    sleep: 'manual',
    processes: () => ({ exit: 'never', ignoresTerm: true }),
  });
  const running = grep({ pattern: 'let' }, testContext(host, { childEnv: { PATH: '/a' } }));
  while (host.process.spawned.length === 0) await new Promise(setImmediate);
  host.clock.advance(20_000);
  expect(await running).toEqual({ value: { ...NOTHING, stopped: 'time' }, observed: [] });
  expect(host.process.signals.map(({ signal }) => signal)).toEqual(['SIGKILL']);
});

const MANY: MemoryHostOptions['files'] = {
  '/w/a.ts': { content: 'tally', mtimeMs: 1000 },
  '/w/b.py': { content: 'tally', mtimeMs: 3000 },
  '/w/c.ts': { content: 'tally', mtimeMs: 2000 },
  '/w/.env': 'tally',
  '/w/.svn/d.ts': 'tally',
  '/w/sub/.svn/e.ts': 'tally',
};

async function found(args: Partial<GrepArgs>): Promise<unknown> {
  const outcome = await search({ pattern: 'tally', mode: 'files', ...args }, MANY);
  if ('error' in outcome) return outcome.error.code;
  const { files, secrets } = outcome.value;
  return [files.map(({ path }) => path).join(' '), ...(secrets === undefined ? [] : [secrets])];
}

test('a search can be narrowed by type, names to pass over, and names of keys', async () => {
  expect([
    await found({ type: 'ts' }),
    await found({ type: 'ts', exclude: ['.svn'] }),
    await found({ exclude: ['.svn'], withoutSecrets: true }),
    await found({ withoutSecrets: true, type: 'ts', glob: 'a*' }),
    await found({ glob: '!*.ts' }),
    await found({ type: 'nonsense' }),
  ]).toEqual([
    ['.svn/d.ts a.ts c.ts sub/.svn/e.ts'],
    ['a.ts c.ts'],
    ['a.ts b.py c.ts', ['.env']],
    ['a.ts'],
    ['.env b.py'],
    'grep/bad-type',
  ]);
});

test('files can come with the last change first, also where not all are wanted', async () => {
  const args = { exclude: ['.svn', '.env'], newestFirst: true } as const;
  expect([await found(args), await found({ ...args, limit: 1 })]).toEqual([['b.py c.ts a.ts'], ['b.py']]);
  const cut = await search({ pattern: 'tally', mode: 'files', ...args, limit: 1 }, MANY);
  expect('value' in cut && cut.value.stopped).toBe('limit');
});

test('a ripgrep that got no threads is asked once more for a single one', async () => {
  const busy = 'rg: failed to spawn thread: Resource temporarily unavailable (os error 11)\n';
  const host = createMemoryHost({
    files: { ...MANY, '/b/rg': { content: '', mode: 0o755 } },
    cwd: '/w',
    sleep: 'manual',
    processes: ({ args }) =>
      args.includes('--threads=1')
        ? { output: ['./a.ts\0'] }
        : { output: [{ stream: 'stderr', bytes: Buffer.from(busy) }], exit: 2 },
  });
  const outcome = await grep({ pattern: 'tally', mode: 'files' }, testContext(host, { childEnv: { PATH: '/b' } }));
  expect([
    'value' in outcome && outcome.value.files,
    host.process.spawned.map(({ args }) => args.filter((arg) => arg.startsWith('--threads'))),
  ]).toEqual([[{ path: 'a.ts', count: 0, rows: [] }], [[], ['--threads=1']]]);
});
