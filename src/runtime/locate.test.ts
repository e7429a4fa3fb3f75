import { expect, test } from 'vitest';
import { UsageError } from '../base/index.ts';
import { FileError } from '../host/index.ts';
import { createMemoryHost, type MemoryHost } from '../host/memory/index.ts';
import { locate } from './locate.ts';

function machine(): MemoryHost {
  return createMemoryHost({ files: { '/w/p/.git': { directory: true }, '/w/file': '' }, cwd: '/w/p' });
}

async function refusal(host: MemoryHost, asked?: string): Promise<[string, boolean]> {
  const error = await locate(host, asked).catch((thrown: Error) => thrown);
  return [error instanceof Error ? error.message : 'located', error instanceof UsageError];
}

test('the working directory and its project are where the program was started, or as asked from there', async () => {
  expect(await locate(machine(), undefined)).toEqual({ cwd: '/w/p', projectRoot: '/w/p' });
  expect(await locate(machine(), '..')).toEqual({ cwd: '/w', projectRoot: null });
});

test.each([
  ['nope', 'cannot work in /w/p/nope: there is no such directory'],
  ['/w/file', 'cannot work in /w/file: it is not a directory'],
  ['a\n\u001b[31mb', 'cannot work in /w/p/a\\u000a\\u001b[31mb: there is no such directory'],
])('%j is the caller’s mistake, told on one line', async (asked, message) => {
  expect(await refusal(machine(), asked)).toEqual([message, true]);
});

test('a directory that cannot be looked at is the caller’s mistake', async () => {
  const host = machine();
  host.files.stat = async (path) => {
    throw new FileError('stat', path, 'ENAMETOOLONG');
  };
  expect(await refusal(host, 'long')).toEqual(['cannot work in /w/p/long: the name is too long', true]);
});

test('an absolute directory needs no place to start from', async () => {
  const host = machine();
  host.env.cwd = () => {
    throw new UsageError('cwd/unusable', 'the directory is gone');
  };
  expect(await locate(host, '/w/p')).toEqual({ cwd: '/w/p', projectRoot: '/w/p' });
  expect(await refusal(host)).toEqual(['the directory is gone', true]);
});
