import { expect, test } from 'vitest';
import { type DirectoryEntry, FileError } from '../host/index.ts';
import { listDirectory } from './list-directory.ts';

type Tree = Readonly<Record<string, readonly DirectoryEntry[] | 'closed'>>;

function files(tree: Tree): { list(path: string): Promise<DirectoryEntry[]>; asked: string[] } {
  const asked: string[] = [];
  return {
    asked,
    async list(path) {
      asked.push(path);
      const entries = tree[path];
      if (entries === undefined || entries === 'closed') {
        throw new FileError('list', path, 'EACCES');
      }
      return [...entries];
    },
  };
}

const directory = (name: string): DirectoryEntry => ({ name, kind: 'directory' });
const file = (name: string): DirectoryEntry => ({ name, kind: 'file' });

test('two levels; what cannot be listed says so, and links are no directories', async () => {
  const tree = {
    '/r': [directory('a'), { name: 'b', kind: 'link' } as const, directory('closed'), file('z')],
    '/r/a': [directory('deep'), file('x')],
    '/r/closed': 'closed',
  } as const;
  expect(await listDirectory(files(tree), '/r')).toEqual({
    directory: '/r',
    root: {
      total: 4,
      entries: [
        {
          name: 'a',
          directory: true,
          children: {
            total: 2,
            entries: [
              { name: 'deep', directory: true },
              { name: 'x', directory: false },
            ],
          },
        },
        { name: 'closed', directory: true, children: 'unreadable' },
        { name: 'b', directory: false },
        { name: 'z', directory: false },
      ],
    },
  });
  expect(await listDirectory(files({}), '/r')).toEqual({ directory: '/r', root: null });
});

test('of many entries as many are kept as a listing could show, and all are counted', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `d${index}`);
  const port = files({
    '/r': [...names.map(directory), file('f')],
    ...Object.fromEntries(names.map((name) => [`/r/${name}`, []])),
  });
  const { root } = await listDirectory(port, '/r');
  expect([root?.total, root?.entries.length, port.asked.length]).toEqual([1001, 65, 65]);
});
