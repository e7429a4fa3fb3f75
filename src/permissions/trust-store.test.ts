import { expect, test } from 'vitest';
import { createMemoryHost } from '../host/memory/index.ts';
import { TrustStore } from './trust-store.ts';

const PATH = '/state/rein/trust.json';

test('trust is bound to a directory and to what was there, and kept in a file for the user alone', async () => {
  const host = createMemoryHost();
  const store = new TrustStore(PATH, host);
  expect(await store.trusts('/a', 'hash-1')).toBe(false);
  await store.trust('/a', 'hash-1');
  await store.trust('/__proto__', 'hash-2');
  const other = new TrustStore(PATH, host);
  expect([
    await other.trusts('/a', 'hash-1'),
    await other.trusts('/a', 'hash-2'),
    await other.trusts('/b', 'hash-1'),
    await other.trusts('/__proto__', 'hash-2'),
    await other.trusts('constructor', 'hash-1'),
  ]).toEqual([true, false, false, true, false]);
  expect((await host.files.stat(PATH))?.mode).toBe(0o600);
  await store.trust('/a', 'hash-3');
  expect([await store.trusts('/a', 'hash-1'), await store.trusts('/a', 'hash-3')]).toEqual([false, true]);
});

test('writers at the same time lose nothing', async () => {
  const host = createMemoryHost();
  const names = Array.from({ length: 20 }, (_, index) => `/d${index}`);
  await Promise.all(names.map((name) => new TrustStore(PATH, host).trust(name, 'h')));
  const kept = await Promise.all(names.map((name) => new TrustStore(PATH, host).trusts(name, 'h')));
  expect(kept.filter((one) => !one)).toEqual([]);
  expect((await host.files.list('/state/rein')).map(({ name }) => name)).toEqual(['trust.json']);
});

test('a lock that a dead process left is taken after ten seconds; a fresh one is waited for and named', async () => {
  const host = createMemoryHost();
  await host.files.makeDirectory('/state/rein');
  host.files.put(`${PATH}.lock`, '');
  await expect(new TrustStore(PATH, host).trust('/a', 'h')).rejects.toMatchObject({ code: 'trust/locked' });
  await host.clock.sleep(11_000);
  await new TrustStore(PATH, host).trust('/a', 'h');
  expect(await new TrustStore(PATH, host).trusts('/a', 'h')).toBe(true);
});

test('a file that is broken, a link, or writable by others is not believed', async () => {
  const good = JSON.stringify({ version: 1, directories: { '/a': 'h' }, changed: [] });
  const trusts = async (
    entry: Parameters<ReturnType<typeof createMemoryHost>['files']['put']>[1],
  ): Promise<boolean> => {
    const host = createMemoryHost({ files: { '/elsewhere': good } });
    host.files.put(PATH, entry);
    return new TrustStore(PATH, host).trusts('/a', 'h');
  };
  expect({
    good: await trusts({ content: good, mode: 0o600 }),
    writable: await trusts({ content: good, mode: 0o622 }),
    link: await trusts({ link: '/elsewhere' }),
    broken: await trusts('{'),
    otherVersion: await trusts(good.replace('1', '2')),
    strange: await trusts('{"version":1,"directories":{"/a":["h"]},"changed":7}'),
  }).toEqual({ good: true, writable: false, link: false, broken: false, otherVersion: false, strange: false });
});

test('a file that a command changed is doubted until someone says yes; distrust forgets what was trusted', async () => {
  const store = new TrustStore(PATH, createMemoryHost());
  await store.trust('/a', 'h');
  await store.doubt('/settings');
  await store.doubt('/settings');
  expect([await store.doubts('/settings'), await store.trusts('/a', 'h')]).toEqual([true, true]);
  await store.distrustAll();
  expect([await store.doubts('/settings'), await store.trusts('/a', 'h')]).toEqual([true, false]);
  await store.confirm('/settings');
  expect(await store.doubts('/settings')).toBe(false);
});

test('a disk that is full leaves no lock behind', async () => {
  const host = createMemoryHost();
  host.faults.freeBytes = 0;
  await expect(new TrustStore(PATH, host).trust('/a', 'h')).rejects.toMatchObject({ code: 'trust/failed' });
  expect(await host.files.list('/state/rein')).toEqual([]);
});
