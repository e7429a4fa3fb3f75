import { expect, test } from 'vitest';
import type { FoundFile, Turn } from '../../../model/index.ts';
import type { GrepFile, GrepValue, ToolFace, ToolOutcome } from '../../../tools/contract/index.ts';
import { session, turn, world } from '../../test-scenario.ts';
import { kimiTools } from '../tools.ts';

const HERE = turn();

function faceOf(name: string, here: Turn = HERE): ToolFace {
  const face = kimiTools(here).find((each) => each.name === name);
  if (face === undefined) expect.fail(`there is no ${name}`);
  return face;
}

/** The engine's arguments, or the failure as the model is told it. */
function called(name: string, given: object, here: Turn = HERE): unknown {
  const face = faceOf(name, here);
  const parsed = face.toCall('c', JSON.stringify(given));
  if ('call' in parsed) return parsed.call.args;
  return texts(face, { error: parsed.error, observed: [] }, undefined, here);
}

function texts(face: ToolFace, outcome: ToolOutcome<unknown>, args: unknown, here: Turn = HERE): string[] {
  const call = { id: 'c', name: face.name, executor: '', args };
  return face.toParts(outcome, here, call).map((part) => (part.type === 'text' ? part.text : part.type));
}

/** What a value is told as, of a call with these arguments. */
function told(name: string, given: object, value: unknown): string[] {
  return texts(faceOf(name), { value, observed: [] }, called(name, given));
}

test('paths are the working directory’s, the home’s or absolute; out of the workspace only absolute', () => {
  const paths = ['a', './b/../c', '../repo/d', '~/e', '~', '~f', '/etc/g', '../h', '/repo/../etc/i', ' '];
  const placed = paths.map((path) => called('ReadMediaFile', { path }));
  const refused = (path: string): string[] => [
    `<system>ERROR: \`${path}\` is not an absolute path. Outside the working directory only absolute paths are taken.</system>`,
  ];
  expect(placed).toEqual([
    { path: '/repo/a', only: 'picture' },
    { path: '/repo/c', only: 'picture' },
    { path: '/repo/d', only: 'picture' },
    { path: '/home/ada/e', only: 'picture' },
    { path: '/home/ada', only: 'picture' },
    { path: '/repo/~f', only: 'picture' },
    { path: '/etc/g', only: 'picture' },
    refused('../h'),
    { path: '/etc/i', only: 'picture' },
    ['<system>ERROR: File path cannot be empty.</system>'],
  ]);
});

test('every tool of files takes its path so', () => {
  const given = { path: '../x', content: '', edit: [], pattern: 'x' };
  const names = ['ReadFile', 'ReadMediaFile', 'Grep', 'WriteFile', 'StrReplaceFile'];
  const refusal =
    '<system>ERROR: `../x` is not an absolute path. Outside the working directory only absolute paths are taken.</system>';
  expect(names.map((name) => called(name, given))).toEqual(names.map(() => [refusal]));
});

test('ReadFile asks for a window from either end, within its bounds', () => {
  const common = {
    bounds: { lines: 1000, bytes: 102_400, lineLength: 2000 },
    numbers: true,
    pastEnd: 'empty',
    only: 'text',
    withoutSecrets: true,
  };
  expect([
    called('ReadFile', { path: 'a' }),
    called('ReadFile', { path: 'a', line_offset: -1000, n_lines: 5000, more: 1 }),
  ]).toEqual([
    { path: '/repo/a', firstLine: 1, lineCount: 1000, ...common },
    { path: '/repo/a', lastLines: 1000, lineCount: 5000, ...common },
  ]);
});

test('ReadFile numbers lines whatever ends them', () => {
  const value = { kind: 'text', path: '/repo/a', totalLines: 3, shortenedLines: 0, complete: true, encoding: 'utf-8' };
  const shown = (text: string, firstLine: number, lastLine: number): string | undefined =>
    told('ReadFile', { path: 'a' }, { ...value, text, firstLine, lastLine })[1];
  expect([
    shown('a\rb\rc', 1, 3),
    shown('a\r\nb\rb\nc\n', 1, 3),
    shown('c\rc', 3, 3),
    shown('x\n', 1_234_567, 1_234_567),
  ]).toEqual([
    '     1\ta\r     2\tb\r     3\tc',
    '     1\ta\r\n     2\tb\rb\n     3\tc\n',
    '     3\tc\rc',
    '1234567\tx\n',
  ]);
});

test('an image’s path is written so that it stays within its tag', () => {
  const value = { kind: 'image', path: '/repo/"><a.png', size: 3, mime: 'image/png', sha256: 'x', width: 1, height: 2 };
  expect(told('ReadMediaFile', { path: 'a' }, { ...value, was: null }).slice(1)).toEqual([
    '<image path="/repo/&quot;&gt;&lt;a.png">',
    'media',
    '</image>',
  ]);
});

test('Glob looks in the workspace alone: the working directory and those of skills', () => {
  const skill = { kind: 'skill', directory: '/home/ada/.kimi/skills/x' } as FoundFile;
  const here = turn({ world: world([skill]) });
  const common = { pattern: '*', limit: 1000, bytes: 262_144, fromPath: true, ignored: true, directories: 'and-links' };
  const refused = (directory: string): string[] => [
    `<system>ERROR: \`${directory}\` is outside the workspace. Only directories of the workspace are searched.</system>`,
  ];
  const directories = [null, '/repo/src', '~/.kimi/skills/x/data', '/repo-other', '/repo/../etc', '~/.kimi'];
  expect(directories.map((directory) => called('Glob', { pattern: '*', directory }, here))).toEqual([
    { path: '/repo', ...common },
    { path: '/repo/src', ...common },
    { path: '/home/ada/.kimi/skills/x/data', ...common },
    refused('/repo-other'),
    refused('/repo/../etc'),
    refused('~/.kimi'),
  ]);
});

test('Glob refuses a pattern that begins with any depth, and shows the working directory instead', () => {
  const listing = { directory: '/repo', root: { entries: [{ name: 'src', directory: true }] } };
  const refusal =
    '<system>ERROR: Pattern `**/*.ts` begins with `**`: it would go through every directory, those of dependencies and builds too. Begin with a directory, as in `src/**/*.py`.</system>';
  expect([
    called('Glob', { pattern: '**/*.ts' }, turn({ world: world([], { listing }) })),
    called(
      'Glob',
      { pattern: '**/*.ts' },
      turn({ session: session({ pins: { 'kimi-cli/listing:/x': 'X', 'kimi-cli/listing:/repo': '└── src/' } }) }),
    ),
    called('Glob', { pattern: '**/*.ts' }),
  ]).toEqual([[refusal, 'Working directory:\n└── src/'], [refusal, 'Working directory:\n└── src/'], [refusal]]);
});

test('Glob names the pattern as it was written, also one without wildcards', () => {
  const value = { root: '/repo', entries: [], total: 0, stopped: null, gaps: { unreadable: 0 } };
  const patterns = ['src', 'a/b', 'src/*.ts', 'src/\\*', 'x\\y', 'src/'];
  expect(patterns.map((pattern) => told('Glob', { pattern }, value))).toEqual(
    patterns.map((pattern) => [`<system>No matches found for pattern \`${pattern}\`.</system>`]),
  );
});

test('Glob says where it ended early', () => {
  const value = { root: '/repo', entries: [{ path: 'a', directory: false }], total: 1, gaps: { unreadable: 0 } };
  expect(told('Glob', { pattern: '*' }, { ...value, stopped: 'time' })).toEqual([
    '<system>Found 1 matches for pattern `*`. The search was stopped when its 20 seconds were over: there may be more. Narrow it.</system>',
    'a',
  ]);
});

const FOUND: GrepValue = { root: '/repo', mode: 'content', files: [], stopped: null, gaps: { unreadable: 0 } };
const row = (line: number, text: string): GrepFile['rows'][number] => ({ line, match: true, text });

test('Grep’s own context says more than the common one, and counts only where lines are shown', () => {
  const around = (given: object): unknown => {
    const { before, after } = called('Grep', { pattern: 'x', ...given }) as { before?: number; after?: number };
    return [before, after];
  };
  expect([
    around({ output_mode: 'content', '-C': 3 }),
    around({ output_mode: 'content', '-C': 3, '-B': 0 }),
    around({ output_mode: 'content', '-A': 2 }),
    around({ '-C': 3 }),
  ]).toEqual([
    [3, 3],
    [0, 3],
    [0, 2],
    [undefined, undefined],
  ]);
});

test('Grep asks for all that can be told and keeps back what was not asked for', () => {
  const given = { pattern: 'x', glob: '*.py', type: 'py', '-i': true, multiline: true, include_ignored: true };
  expect(called('Grep', { ...given, head_limit: 0, offset: 5, '-n': false })).toEqual({
    pattern: 'x',
    path: '/repo',
    mode: 'files',
    glob: '*.py',
    type: 'py',
    newestFirst: true,
    ignoreCase: true,
    multiline: true,
    ignored: true,
    limit: 10_000,
    bytes: 4_194_304,
    lineLength: 100_000,
    exclude: ['.git', '.svn', '.hg', '.bzr', '.jj', '.sl'],
    withoutSecrets: true,
    shown: { numbers: false, offset: 5, limit: null },
  });
});

test('Grep cuts long lines and long results, and says so', () => {
  const given = { pattern: 'x', output_mode: 'content', '-n': false, head_limit: null };
  const long = { path: 'a', count: 2, rows: [row(1, 'x'.repeat(3000)), row(2, 'short')] };
  const many = {
    path: 'a',
    count: 99,
    rows: Array.from({ length: 99 }, (_, index) => row(index + 1, 'x'.repeat(1000))),
  };
  const [first, second] = [long, many].map((file) => told('Grep', given, { ...FOUND, files: [file] }));
  expect([first, second?.map((text) => text.length), second?.[0]]).toEqual([
    ['<system>Output is truncated to fit in the message.</system>', `a:${'x'.repeat(1983)}[...truncated]\na:short`],
    [expect.any(Number), 50_000],
    '<system>Output is truncated to fit in the message.</system>',
  ]);
});

test('Grep tells what it left out, and what its numbers do not say', () => {
  const files = [{ path: 'a', count: 3, rows: [] }];
  const secrets = ['1/.env', '2/.env', '3/.env', '4/.env', '5/.env', '6/.env'];
  const value: GrepValue = { ...FOUND, mode: 'count', files, secrets, stopped: 'limit', gaps: { unreadable: 2 } };
  expect(told('Grep', { pattern: 'x', output_mode: 'count_matches' }, value)).toEqual([
    '<system>Found 3 total occurrences across 1 files. Skipped 6 sensitive file(s) (1/.env, 2/.env, 3/.env, 4/.env, 5/.env, ...): they may hold keys or passwords. There are more matches than were counted. Narrow the search. 2 file(s) could not be read.</system>',
    'a:3',
  ]);
});

test('Grep that ran out of time is an error where it found nothing', () => {
  const time = 'The search was stopped when its 20 seconds were over: there may be more. Narrow it.';
  const files = [{ path: 'a', count: 0, rows: [] }];
  expect([
    told('Grep', { pattern: 'x' }, { ...FOUND, mode: 'files', stopped: 'time' }),
    told('Grep', { pattern: 'x' }, { ...FOUND, mode: 'files', files, stopped: 'time' }),
    told('Grep', { pattern: 'x', offset: 1 }, { ...FOUND, mode: 'files', files }),
  ]).toEqual([
    [`<system>ERROR: ${time}</system>`],
    [`<system>${time}</system>`, 'a'],
    ['<system>No matches found.</system>'],
  ]);
});

test('Grep names files whose matches cannot be shown', () => {
  const files: GrepFile[] = [
    { path: 'a', count: 0, rows: [], binary: true },
    { path: 'b', count: 1, rows: [row(1, 'x')], overlong: true },
  ];
  expect(told('Grep', { pattern: 'x', output_mode: 'content' }, { ...FOUND, files })).toEqual([
    'a: binary file matches\nb:1:x\nb: a match in a line too long to be shown',
  ]);
});

test('WriteFile needs the directory to be there; the plan is the session’s own', () => {
  const file = '/home/ada/.kimi/plans/x.md';
  const here = [true, false].map((on) => turn({ session: session({ planMode: { on, file } }) }));
  const given = { path: file, content: 'x' };
  expect([
    ...here.map((each) => called('WriteFile', given, each)),
    called('WriteFile', { ...given, mode: 'append' }),
  ]).toEqual([
    { text: 'x' },
    { path: file, content: 'x', parent: 'must-exist' },
    { path: file, content: 'x', parent: 'must-exist', append: true },
  ]);
});

test('what the model wrote is repeated to an end', () => {
  const [message = ''] = called('Grep', { pattern: 'x', path: `../${'x'.repeat(5000)}` }) as string[];
  expect(message).toBe(
    `<system>ERROR: \`../${'x'.repeat(997)}...\` is not an absolute path. Outside the working directory only absolute paths are taken.</system>`,
  );
});

test('equal grounds give the same tools, others their own', () => {
  const tools = [turn(), turn(), turn({ world: world([], { cwd: '/repo/sub' }) })].map(kimiTools);
  expect([tools[0] === tools[1], tools[0] === tools[2]]).toEqual([true, false]);
});

test('an edit without replace_all means the first occurrence', () => {
  const edits = [
    { old: 'a', new: 'b' },
    { old: 'c', new: 'd', replace_all: true },
  ];
  expect([
    called('StrReplaceFile', { path: 'a', edit: edits[0] }),
    called('StrReplaceFile', { path: 'a', edit: edits }),
  ]).toEqual([
    { path: '/repo/a', edits: [{ old: 'a', new: 'b', first: true }], misses: 'ignored' },
    {
      path: '/repo/a',
      edits: [
        { old: 'a', new: 'b', first: true },
        { old: 'c', new: 'd', all: true },
      ],
      misses: 'ignored',
    },
  ]);
});

test('what the disk refuses is told with the tool’s own beginning, what the engine advises as it is', () => {
  const failing = (name: string, code: string): string[] =>
    texts(faceOf(name), { error: { code, message: 'M.', data: { path: '/repo/a' } }, observed: [] }, undefined);
  expect([
    failing('ReadFile', 'read/failed'),
    failing('ReadMediaFile', 'read/unfit'),
    failing('Glob', 'glob/failed'),
    failing('Grep', 'grep/failed'),
    failing('WriteFile', 'write/failed'),
    failing('WriteFile', 'write/stale'),
    failing('StrReplaceFile', 'edit/failed'),
    failing('StrReplaceFile', 'edit/stale'),
    failing('StrReplaceFile', 'tool/failed'),
  ]).toEqual(
    [
      'Failed to read `/repo/a`. Error: M.',
      'Failed to read `/repo/a`. Error: M.',
      'M.',
      'Failed to grep. Error: M.',
      'Failed to write to `/repo/a`. Error: M.',
      'M.',
      'Failed to edit. Error: M.',
      'M.',
      'M.',
    ].map((message) => [`<system>ERROR: ${message}</system>`]),
  );
});
