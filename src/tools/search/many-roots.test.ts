import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { GlobArgs, GrepArgs } from '../contract/index.ts';
import { testContext } from '../test-context.ts';
import { globRoots, grepRoots } from './many-roots.ts';

const FILES = {
  '/w/a/one.ts': 'tally\n',
  '/w/a/b/two.ts': 'tally\ntally\n',
  '/w/c/three.ts': 'tally\n',
} as const;

const context = testContext(createMemoryHost({ files: FILES, cwd: '/w' }));
const GAPS = { unreadable: 0 };

async function names(args: GlobArgs): Promise<unknown> {
  const outcome = await globRoots(args, context);
  if ('error' in outcome) return outcome.error.code;
  const { root, entries, total, stopped, gaps } = outcome.value;
  expect({ root, gaps }).toEqual({ root: '/', gaps: GAPS });
  return [entries.map(({ path }) => path), total, stopped];
}

async function matches(args: GrepArgs): Promise<unknown> {
  const outcome = await grepRoots(args, context);
  if ('error' in outcome) return outcome.error.code;
  const { root, files, stopped, gaps } = outcome.value;
  expect({ root, gaps }).toEqual({ root: '/', gaps: GAPS });
  return [files.map(({ path, count }) => `${path}: ${count}`), stopped];
}

test('names below several directories come in the order of the directories, each once', async () => {
  expect(await names({ pattern: '**/*.ts', paths: ['c', 'a/b', 'a'] })).toEqual([
    ['w/c/three.ts', 'w/a/b/two.ts', 'w/a/one.ts'],
    3,
    null,
  ]);
});

test('the limit holds for all directories together', async () => {
  expect(await names({ pattern: '**/*.ts', paths: ['c', 'a'], limit: 2 })).toEqual([
    ['w/c/three.ts', 'w/a/b/two.ts'],
    3,
    'limit',
  ]);
});

test('matches in several places come in their order, each file once', async () => {
  expect(await matches({ pattern: 'tally', paths: ['c/three.ts', 'a/b', 'a'] })).toEqual([
    ['w/c/three.ts: 1', 'w/a/b/two.ts: 2', 'w/a/one.ts: 1'],
    null,
  ]);
});

test('the limit of lines holds for all places together', async () => {
  expect([
    await matches({ pattern: 'tally', paths: ['c', 'a'], limit: 2 }),
    await matches({ pattern: 'tally', paths: ['c', 'a'], limit: 1 }),
  ]).toEqual([
    [['w/c/three.ts: 1', 'w/a/b/two.ts: 1'], 'limit'],
    [['w/c/three.ts: 1'], 'limit'],
  ]);
});

test('one place gives what the search there gives; none and very many are refused', async () => {
  expect(await globRoots({ pattern: '*.ts', path: 'c' }, context)).toEqual({
    value: { root: '/w/c', entries: [{ path: 'three.ts', directory: false }], total: 1, stopped: null, gaps: GAPS },
    observed: [],
  });
  const many = Array.from({ length: 9 }, () => 'a');
  expect([
    await names({ pattern: '*', paths: [] }),
    await names({ pattern: '*', paths: many }),
    await matches({ pattern: 'x', paths: [] }),
    await matches({ pattern: 'x', paths: many }),
  ]).toEqual(['glob/bad-paths', 'glob/bad-paths', 'grep/bad-paths', 'grep/bad-paths']);
});
