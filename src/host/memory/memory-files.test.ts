import { describe, expect, test } from 'vitest';
import { fileContract } from '../file-port-contract.ts';
import { FileError } from '../index.ts';
import { createMemoryHost } from './index.ts';

fileContract('in memory', () => {
  const { files } = createMemoryHost({ cwd: '/root' });
  return {
    files,
    root: '/root',
    link: (target, path) => files.put(path, { link: target }),
    fifo: (path) => files.put(path, { fifo: true }),
    dispose: () => undefined,
  };
});

async function codeOf(work: Promise<unknown>): Promise<string | null> {
  try {
    await work;
    return null;
  } catch (error) {
    return error instanceof FileError ? error.systemCode : String(error);
  }
}

describe('the disk in memory', () => {
  test('starts as the given tree', async () => {
    const { files } = createMemoryHost({
      files: {
        '/a/text': 'text',
        '/a/bytes': new Uint8Array([65]),
        '/a/link': { link: 'text' },
        '/a/other': { content: 'x', mode: 0o600, uid: 0, mtimeMs: 5 },
      },
    });
    expect(files.snapshot('/a')).toEqual({
      '/a/bytes': 'A',
      '/a/link': '-> text',
      '/a/other': 'x',
      '/a/text': 'text',
    });
    const facts = await files.stat('/a/other');
    expect([facts?.mode, facts?.uid, facts?.mtimeMs, facts?.ctimeMs]).toEqual([0o600, 0, 5, 5]);
  });

  test('refuses what the test asks it to refuse, until it no longer asks', async () => {
    const { files, faults } = createMemoryHost({ files: { '/a/b/c': 'x' } });
    faults.refuse['/a/b'] = 'EACCES';
    expect([
      await codeOf(files.stat('/a/b/c')),
      await codeOf(files.list('/a/b')),
      await codeOf(files.list('/a')),
    ]).toEqual(['EACCES', 'EACCES', null]);
    expect(await files.readRegular('/a/b/c', { maxBytes: 10 })).toEqual({
      ok: false,
      why: 'unreadable',
      detail: 'permission denied',
    });
    faults.refuse = {};
    expect(await codeOf(files.stat('/a/b/c'))).toBe(null);
  });

  test('is full after the given number of bytes, with what fitted written', async () => {
    const { files, faults } = createMemoryHost({ files: { '/log': '', '/file': 'old' } });
    const handle = await files.openAppend('/log', { mode: 0o600, create: false });
    faults.freeBytes = 5;
    handle.write('abc');
    expect(() => handle.write('defg')).toThrow('no space left');
    expect(Buffer.from(handle.read(0, 10)).toString()).toBe('abcde');
    expect(await codeOf(files.writeWhole('/file', 'new'))).toBe('ENOSPC');
    expect(files.snapshot('/file')).toEqual({ '/file': 'old' });
  });

  test('counts every call of a port', async () => {
    const host = createMemoryHost({ files: { '/a': 'x' } });
    await host.files.stat('/a');
    await host.files.stat('/b');
    await host.files.readRegular('/a', { maxBytes: 1 });
    expect(host.calls).toEqual({ 'files.stat': 2, 'files.readRegular': 1 });
  });

  test('gives a changed file another time when the clock moved', async () => {
    const { files, clock } = createMemoryHost({ now: '2026-01-01T00:00:00+00:00', files: { '/a': 'x' } });
    clock.advance(1500);
    await files.writeWhole('/a', 'y');
    expect((await files.stat('/a'))?.mtimeMs).toBe(Date.parse('2026-01-01T00:00:01.500Z'));
  });
});
