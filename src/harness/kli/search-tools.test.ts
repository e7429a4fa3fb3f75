import { expect, test } from 'vitest';
import type { ToolFace } from '../../tools/contract/index.ts';
import { turn } from '../test-scenario.ts';
import { findFace } from './find-face.ts';
import { searchFace } from './search-face.ts';

const FIND = findFace({ name: 'find', description: 'Finds.' });
const SEARCH = searchFace({ name: 'search', description: 'Searches.' });
const GAPS = { unreadable: 0 };

function args(face: ToolFace, given: object): Record<string, unknown> {
  const parsed = face.toCall('c', JSON.stringify(given));
  return 'error' in parsed ? { error: parsed.error.message } : (parsed.call.args as Record<string, unknown>);
}

function shown(face: ToolFace, value: unknown): string {
  const parts = face.toParts({ value, observed: [] }, turn());
  return parts.map((part) => (part.type === 'text' ? part.text : part.type)).join();
}

test('only * is a wildcard, and ** as the last name is one name', () => {
  const patterns = ['src/**/*.ts', 'app/[id].tsx', 'a?{b}\\c', 'src/**', '**', '/abs/*'];
  expect(patterns.map((pattern) => args(FIND, { pattern }))).toEqual(
    ['src/**/*.ts', 'app/\\[id\\].tsx', 'a\\?\\{b\\}\\\\c', 'src/*', '*', '/abs/*'].map((pattern) => ({
      pattern,
      ignored: true,
      directories: true,
    })),
  );
});

test('found paths are absolute and sorted, directories with a slash', () => {
  const entries = [
    { path: 'a', directory: true },
    { path: 'a/b', directory: false },
    { path: 'a.txt', directory: false },
  ];
  const value = { root: '/repo', entries, total: 5, stopped: 'limit', gaps: GAPS };
  expect(shown(FIND, value)).toBe('/repo/a.txt\n/repo/a/\n/repo/a/b\n[2 more; narrow the search]');
  expect(shown(FIND, { ...value, entries: [], total: 0, stopped: null })).toBe('(no matches)');
});

test('a search takes a file, a directory or a pattern of paths', () => {
  const common = { pattern: 'x', ignored: true, limit: 1000, lineLength: 500 };
  expect(args(SEARCH, { pattern: 'x', path: 'src' })).toEqual({ ...common, path: 'src' });
  expect(args(SEARCH, { pattern: 'x', path: 'src/*.ts', context: 1 })).toEqual({
    ...common,
    path: 'src',
    glob: './*.ts',
    before: 1,
    after: 1,
  });
  expect(args(SEARCH, { pattern: 'x', path: '**/[a].ts' })).toEqual({ ...common, path: '.', glob: './**/\\[a\\].ts' });
  expect(args(SEARCH, { pattern: 'x', path: '/*' })).toEqual({ ...common, path: '/', glob: './*' });
  expect(args(SEARCH, { pattern: 'x' })).toEqual({ error: 'path is missing' });
});

test('rows are marked as matches or context under the file’s absolute path', () => {
  const rows = [
    { line: 1, match: false, text: 'one' },
    { line: 2, match: true, text: 'two' },
    { line: 9, match: true, text: 'nine' },
  ];
  const value = { root: '/repo', mode: 'content', files: [{ path: 'a', count: 2, rows }], stopped: null, gaps: GAPS };
  expect(shown(SEARCH, value)).toBe('/repo/a\n 1|one\n*2|two\n*9|nine');
  expect(shown(SEARCH, { ...value, files: [] })).toBe('(no matches)');
});
