import { expect, test } from 'vitest';
import { createMemoryHost, type MemoryTree } from '../host/memory/index.ts';
import { findProjectRoot } from './project-root.ts';

async function rootOf(files: MemoryTree, cwd = '/w/a/b'): Promise<unknown> {
  const host = createMemoryHost({ files: { '/w/a/b/x': '', ...files } });
  return findProjectRoot(host.files, cwd);
}

test('the nearest directory that holds .git is the root', async () => {
  expect(await rootOf({ '/w/.git': { directory: true }, '/w/a/.git': { directory: true } })).toEqual({
    root: '/w/a',
    kind: 'directory',
  });
});

test('a .git file counts, whatever it holds', async () => {
  expect(await rootOf({ '/w/a/.git': 'no such place' })).toEqual({ root: '/w/a', kind: 'worktree-file' });
});

test('a .git that is neither directory nor file does not count', async () => {
  expect(await rootOf({ '/w/.git': { directory: true }, '/w/a/.git': { fifo: true } })).toEqual({
    root: '/w',
    kind: 'directory',
  });
});

test('the working directory itself and the root of the file system can hold it', async () => {
  expect([
    await rootOf({ '/w/a/b/.git': { directory: true } }),
    await rootOf({ '/.git': { directory: true } }),
  ]).toEqual([
    { root: '/w/a/b', kind: 'directory' },
    { root: '/', kind: 'directory' },
  ]);
});

test('without .git anywhere there is no root', async () => {
  expect(await rootOf({})).toBeNull();
});

test('a directory that may not be searched hides its .git and nothing else', async () => {
  const host = createMemoryHost({ files: { '/w/.git': { directory: true }, '/w/a/.git': { directory: true } } });
  host.faults.refuse['/w/a/.git'] = 'EACCES';
  expect(await findProjectRoot(host.files, '/w/a')).toEqual({ root: '/w', kind: 'directory' });
});
