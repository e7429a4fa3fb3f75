import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import type { OutputWindow } from '../../tools/contract/index.ts';
import { readOutput } from './read-output.ts';

const mask = (text: string): string => text.replaceAll('SECRET', '[hidden]');

async function shown(text: string, window: OutputWindow): Promise<unknown> {
  const host = createMemoryHost({ files: { '/repo/output': text } });
  const read = await readOutput('/repo/output', window, { host, mask });
  return read === null ? null : [read.text, read.offset, read.total];
}

test('a window gives its bytes, and whole characters at its borders', async () => {
  expect(await shown('aäöz', { offset: 0, limit: 2 })).toEqual(['aä', 0, 6]);
  expect(await shown('aäöz', { offset: 2, limit: 1 })).toEqual(['', 3, 6]);
  expect(await shown('aäöz', { offset: 2, limit: 2 })).toEqual(['ö', 3, 6]);
  expect(await shown('aäöz', { tail: 2 })).toEqual(['z', 5, 6]);
  expect(await shown('aäöz', { tail: 100 })).toEqual(['aäöz', 0, 6]);
  expect(await shown('abc', { offset: 50, limit: 5 })).toEqual(['', 3, 3]);
});

test('a secret that a border cuts is hidden whole', async () => {
  expect(await shown('key SECRET end', { offset: 0, limit: 7 })).toEqual(['key [hidden]', 0, 14]);
  expect(await shown('key SECRET end', { tail: 7 })).toEqual(['[hidden] end', 7, 14]);
  expect(await shown('key SECRET end', { offset: 6, limit: 2 })).toEqual(['[hidden]', 6, 14]);
  expect(await shown('key SECRET end', { offset: 10, limit: 4 })).toEqual([' end', 10, 14]);
  expect(await shown('SECRET SECRET', { offset: 6, limit: 1 })).toEqual([' ', 6, 13]);
});

test('a file that is not there has no output', async () => {
  const host = createMemoryHost();
  expect(await readOutput('/repo/output', { tail: 10 }, { host, mask })).toBeNull();
});
