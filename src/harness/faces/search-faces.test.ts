import { expect, test } from 'vitest';
import type { GlobValue, GrepFile, GrepValue, ToolFace } from '../../tools/contract/index.ts';
import { turn } from '../test-scenario.ts';
import { globFace } from './glob-face.ts';
import { grepFace } from './grep-face.ts';

const GLOB = globFace({ name: 'glob', description: 'Lists.' });
const GREP = grepFace({ name: 'grep', description: 'Searches.' });
const GAPS = { unreadable: 0 };

function args(face: ToolFace, given: object): unknown {
  const parsed = face.toCall('c', JSON.stringify(given));
  return 'error' in parsed ? parsed.error.message : parsed.call.args;
}

function shown(face: ToolFace, value: unknown): string {
  const parts = face.toParts({ value, observed: [] }, turn());
  return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join();
}

function listing(paths: readonly string[], more: Partial<GlobValue> = {}): GlobValue {
  const entries = paths.map((path) => ({ path, directory: false }));
  return { root: '/repo', entries, total: entries.length, stopped: null, gaps: GAPS, ...more };
}

function matches(files: readonly GrepFile[], more: Partial<GrepValue> = {}): GrepValue {
  return { root: '/repo/src', mode: 'content', files: [...files], stopped: null, gaps: GAPS, ...more };
}

test('a pattern of one name is met at any depth, a path or a name without wildcard is as it is', () => {
  const patterns = ['*.ts', 'a.ts', 'src/*.ts', '**', '**/x', '[ab]'].map((pattern) => args(GLOB, { pattern }));
  expect(patterns).toEqual(['**/*.ts', 'a.ts', 'src/*.ts', '**', '**/x', '**/[ab]'].map((pattern) => ({ pattern })));
  expect(args(GLOB, { pattern: 'a', path: 'b', ignored: true })).toEqual({ pattern: 'a', path: 'b', ignored: true });
});

test('names are shown from the working directory where they lie below it', () => {
  expect(shown(GLOB, listing(['a.ts', 'b/c.ts']))).toBe('a.ts\nb/c.ts');
  expect(shown(GLOB, listing(['a.ts'], { root: '/repo/src' }))).toBe('src/a.ts');
  expect(shown(GLOB, listing([''], { root: '/repo/a.ts' }))).toBe('a.ts');
  expect(shown(GLOB, listing(['a.ts'], { root: '/workshop' }))).toBe('/workshop/a.ts');
});

test('what a listing leaves out is said', () => {
  expect(shown(GLOB, listing([]))).toBe('[no file has such a name]');
  expect(shown(GLOB, listing(['a'], { total: 1001, stopped: 'limit', gaps: { unreadable: 2 } }))).toBe(
    'a\n[1,000 more; narrow the search]\n[2 of the files could not be read]',
  );
  const stops = (['time', 'extent', 'aborted'] as const).map((stopped) => shown(GLOB, listing(['a'], { stopped })));
  expect(stops).toEqual([
    'a\n[stopped when the time was up: there may be more; narrow the search]',
    'a\n[too much to look at all of it: there may be more; narrow the search]',
    'a\n[stopped by the user: there may be more]',
  ]);
});

test('a search’s arguments reach the engine under its own names', () => {
  const given = { pattern: 'a', path: 'p', glob: '*.ts', mode: 'count', context: 2, ignore_case: true, limit: 5 };
  expect(args(GREP, { ...given, multiline: true, ignored: true })).toEqual({
    pattern: 'a',
    path: 'p',
    glob: '*.ts',
    mode: 'count',
    before: 2,
    after: 2,
    ignoreCase: true,
    multiline: true,
    ignored: true,
    limit: 5,
  });
  expect(args(GREP, { pattern: 'a', multiline: false, ignore_case: null })).toEqual({ pattern: 'a' });
  expect(args(GREP, { pattern: 'a', mode: 'lines' })).toBe('mode must be one of content, files, count');
});

test('matching lines stand under their file with their numbers', () => {
  const rows = [
    { line: 1, match: false, text: 'one' },
    { line: 2, match: true, text: 'two' },
    { line: 9, match: true, text: 'nine' },
  ];
  const files: GrepFile[] = [
    { path: 'a.ts', count: 2, rows },
    {
      path: 'b.ts',
      count: 1,
      rows: [
        { line: 7, match: true, text: 'b' },
        { line: 9, match: true, text: 'c' },
      ],
    },
  ];
  expect(shown(GREP, matches(files))).toBe('src/a.ts\n1- one\n2: two\n--\n9: nine\n\nsrc/b.ts\n7: b\n9: c');
});

test('what is missing of a long line, of a binary file, of all matches is said', () => {
  const long = { line: 1, match: true, text: 'tally', cut: [1000, 20] as [number, number], hidden: 1 };
  const files: GrepFile[] = [
    { path: 'lib.js', count: 1, rows: [long] },
    { path: 'x.png', count: 0, rows: [], binary: true },
    { path: 'y.js', count: 0, rows: [], overlong: true },
  ];
  expect(shown(GREP, matches(files, { stopped: 'size', gaps: { unreadable: 1 } }))).toBe(
    [
      'src/lib.js\n1: […1,000 characters] tally […20 characters] [1 more match in this line]\n',
      'src/x.png: binary file, its matches are not shown\n',
      'src/y.js\n[a match in a line too long to be shown]',
      '[there are more matches; narrow the search]',
      '[1 of the files could not be read]',
    ].join('\n'),
  );
  expect(shown(GREP, matches([]))).toBe('[no match]');
});

test('names and counts are a line each', () => {
  const files: GrepFile[] = [
    { path: 'a.ts', count: 1234, rows: [] },
    { path: '', count: 1, rows: [] },
  ];
  expect(shown(GREP, matches(files, { mode: 'files' }))).toBe('src/a.ts\nsrc');
  expect(shown(GREP, matches(files, { mode: 'count' }))).toBe('src/a.ts: 1,234\nsrc: 1');
});
