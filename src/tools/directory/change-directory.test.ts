import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { DirectoryValue, ToolOutcome } from '../contract/index.ts';
import { testContext, testState } from '../test-context.ts';
import { MAX_DEPTH, popDirectory, pushDirectory } from './change-directory.ts';

const FILES = {
  '/w/sub': { directory: true },
  '/w/link': { link: '/elsewhere' },
  '/elsewhere': { directory: true },
  '/w/file': 'text',
} as const;

function push(path: string, directories: readonly string[] = ['/w']): Promise<ToolOutcome<DirectoryValue>> {
  const state = { ...testState([]), directories };
  return pushDirectory(
    { path },
    testContext(createMemoryHost({ files: FILES }), { state, cwd: directories.at(-1) ?? '/w' }),
  );
}

function pop(directories: readonly string[]): Promise<ToolOutcome<DirectoryValue>> {
  return popDirectory({ state: { ...testState([]), directories } });
}

function moved(stack: string[]): ToolOutcome<DirectoryValue> {
  return { value: { stack, cwd: stack.at(-1) ?? '' }, observed: [], events: [{ type: 'directory', stack }] };
}

test('a directory comes on top of the stack by its real path, from where one is', async () => {
  expect(await push('sub')).toEqual(moved(['/w', '/w/sub']));
  expect(await push('link')).toEqual(moved(['/w', '/elsewhere']));
  expect(await push('../w/sub', ['/w', '/elsewhere'])).toEqual(moved(['/w', '/elsewhere', '/w/sub']));
});

test('what is no directory is refused', async () => {
  expect([await push('none'), await push('file')]).toEqual([
    {
      error: {
        code: 'pushd/not-found',
        message: 'Cannot go to /w/none: there is no such directory.',
        data: { path: '/w/none' },
      },
      observed: [],
    },
    {
      error: {
        code: 'pushd/not-a-directory',
        message: 'Cannot go to /w/file: it is not a directory.',
        data: { path: '/w/file' },
      },
      observed: [],
    },
  ]);
});

test('the stack has an end', async () => {
  const almost = Array.from({ length: MAX_DEPTH - 1 }, () => '/w');
  expect(await push('sub', almost)).toEqual(moved([...almost, '/w/sub']));
  expect(await push('sub', [...almost, '/w'])).toEqual({
    error: { code: 'pushd/too-deep', message: 'The stack of directories is full (32); go back with popd first.' },
    observed: [],
  });
});

test('going back takes the top away, and the bottom stays', async () => {
  expect(await pop(['/w', '/w/sub', '/elsewhere'])).toEqual(moved(['/w', '/w/sub']));
  expect(await pop(['/w'])).toEqual({
    error: {
      code: 'popd/at-bottom',
      message:
        'There is nothing to go back to: /w is the directory that the conversation began in. For another one use pushd.',
    },
    observed: [],
  });
});
