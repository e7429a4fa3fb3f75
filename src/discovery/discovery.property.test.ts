import { dirname } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileError, type FileKind, type FilePort } from '../host/index.ts';
import type { MemoryEntry } from '../host/memory/index.ts';
import type { SourceQuery } from '../model/index.ts';
import { createDiscovery } from './discovery.ts';
import { ANY_CASE, EXACT, machine, OVERRIDE } from './test-machine.ts';

// Trees over a few directories in which everything can go wrong: names in several spellings, links to each other and
// to nothing, pipes, directories with a file's name, blank and large files, stubs, repositories and worktrees.
const DIRECTORIES = [
  '/',
  '/r',
  '/r/.wt',
  '/r/.wt/f',
  '/r/.wt/f/a',
  '/home/user/.config/kli',
  '/r/.wt/f/.kli',
  '/other',
  '/r/.rein',
  '/r/.rein/skills',
  '/r/.rein/skills/a',
  '/r/.wt/f/.rein',
  '/r/.wt/f/.rein/skills',
  '/r/.wt/f/.rein/skills/b',
];
const NAMES = ['AGENTS.md', 'agents.md', 'AGENTS.MD', 'CLAUDE.md', 'GEMINI.md', 'SYSTEM.md', '.git'];
const CWDS = ['/r', '/r/.wt/f/a', '/other', '/', '/home/user/.config/kli'];
const filePaths = DIRECTORIES.flatMap((directory) =>
  NAMES.map((name) => `${directory === '/' ? '' : directory}/${name}`),
);
// Where a link may stand for a directory.
const LINKS = ['/r/.rein/skills/l', '/r/.rein/skills/k', '/r/.agents', '/r/.wt/f/.agents', '/other/a'];
const paths = [...filePaths, ...LINKS, ...LINKS.map((path) => `${path}/SKILL.md`)];

const entry: fc.Arbitrary<MemoryEntry> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<MemoryEntry>('rules', 'other rules', ' \n', 'CLAUDE.md', 'x'.repeat(40)) },
  fc.constantFrom<MemoryEntry>('---\na: 1\n---\nb', '---\na: b: c\n---\n', '---\nnot ended'),
  {
    weight: 2,
    arbitrary: fc.constantFrom(...paths, ...DIRECTORIES.slice(1), '/nowhere').map((link): MemoryEntry => ({ link })),
  },
  fc.constantFrom<MemoryEntry>({ fifo: true }, { directory: true }, Uint8Array.of(0xff, 0xfe, 0x41, 0x00)),
  fc.constant<MemoryEntry>('gitdir: /r/.git/worktrees/f'),
  fc.record({ content: fc.constant('open'), mode: fc.constantFrom(0o666, 0o664), uid: fc.constantFrom(0, 7, 1000) }),
);
const trees = fc
  .dictionary(fc.constantFrom(...paths), entry, { minKeys: 1, maxKeys: 14 })
  .map((tree) => Object.fromEntries(Object.entries(tree).filter(([path]) => !isBelowAnother(path, tree))));
const cwds = fc.constantFrom(...CWDS);

const small = { cap: 32 };
const QUERIES: readonly SourceQuery[] = [
  { ...EXACT, ...small },
  { ...ANY_CASE, ...small },
  { ...ANY_CASE, ...small, kind: 'all', perDirectory: 'all', overCap: 'cut', blank: 'absent' },
  OVERRIDE,
  {
    ...OVERRIDE,
    ...small,
    kind: 'skill',
    names: ['SKILL.md'],
    places: [
      {
        at: 'project',
        inside: '.rein/skills',
        scope: 'project',
        reportNearer: true,
        each: true,
        from: 'session-start',
      },
      { at: 'project', inside: '.agents/skills', scope: 'project', reportNearer: false, each: true },
      { at: 'directory', path: '/r/.rein/skills', scope: 'user', each: true },
      { at: 'directory', path: '/other', scope: 'user', each: true },
    ],
    take: 'all',
    frontMatter: true,
  },
  {
    ...OVERRIDE,
    ...small,
    kind: 'straight',
    names: ['.md'],
    match: 'suffix',
    perDirectory: 'all',
    places: [
      { at: 'walk', to: 'file-system', from: 'session-start' },
      { at: 'walk', to: 'repository', inside: '.agents' },
      { at: 'stack' },
      { at: 'file', path: '/r/AGENTS.md', scope: 'extra' },
    ],
    take: 'all',
    links: 'skip',
    within: ['/r', '/home'],
    frontMatter: true,
  },
  {
    ...EXACT,
    kind: 'straight-each',
    names: ['SKILL.md'],
    places: [
      { at: 'project', inside: '.agents/skills', scope: 'project', reportNearer: false, each: true },
      { at: 'directory', path: '/r/.rein/skills', scope: 'user', each: true },
    ],
    links: 'skip',
    overCap: 'path-only',
    cap: 4,
  },
];
async function kindAt(files: Pick<FilePort, 'lstat'>, path: string): Promise<FileKind | 'loop' | null> {
  try {
    return (await files.lstat(path))?.kind ?? null;
  } catch (error) {
    if (error instanceof FileError && error.systemCode === 'ELOOP') return 'loop';
    throw error;
  }
}

function isBelowAnother(path: string, tree: Record<string, MemoryEntry>): boolean {
  return Object.keys(tree).some((other) => path.startsWith(`${other}/`));
}
const places = { queries: QUERIES, stack: ['/other', '/r/.wt'] };

/** Directories exist, whatever the tree holds, so that each can be the working directory. */
function withDirectories(tree: Record<string, MemoryEntry>): Record<string, MemoryEntry> {
  return { ...Object.fromEntries(DIRECTORIES.map((path) => [path, { directory: true }])), ...tree };
}

test('equal trees give equal worlds, byte for byte', async () => {
  await fc.assert(
    fc.asyncProperty(trees, cwds, async (tree, cwd) => {
      const one = await machine(withDirectories(tree), EXACT, { cwd }).look(places);
      const two = await machine(withDirectories(tree), EXACT, { cwd }).look(places);
      expect(JSON.stringify(two)).toBe(JSON.stringify(one));
    }),
  );
});

test('a second look without a change reads and lists nothing and gives the same world', async () => {
  await fc.assert(
    fc.asyncProperty(trees, cwds, async (tree, cwd) => {
      const { look, host } = machine(withDirectories(tree), EXACT, { cwd });
      const first = await look(places);
      const before = { ...host.calls };
      const second = await look(places);
      expect(JSON.stringify(second)).toBe(JSON.stringify(first));
      for (const method of ['files.readRegular', 'files.readRange', 'files.list']) {
        expect(host.calls[method]).toBe(before[method]);
      }
    }),
  );
});

test('after any changes a look sees what one without a memory sees', async () => {
  const change = fc.record({
    path: fc.constantFrom(...paths),
    entry: fc.option(entry, { nil: null }),
    /** Around the time within which a change may leave a file's times as they were. */
    later: fc.constantFrom(0, 1, 1999, 2001, 60_000),
  });
  const rounds = fc.array(fc.array(change, { maxLength: 4 }), { minLength: 1, maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(trees, cwds, rounds, async (tree, cwd, changes) => {
      const { look, host } = machine(withDirectories(tree), EXACT, { cwd });
      await look(places);
      for (const round of changes) {
        for (const { path, entry: becomes, later } of round) {
          host.clock.advance(later);
          const kind = await kindAt(host.files, path);
          // Behind links that lead to themselves nothing can be changed.
          if (kind === 'loop') continue;
          if (kind !== 'directory') await host.files.remove(path);
          const around = await kindAt(host.files, dirname(path));
          if (around !== null && around !== 'directory') continue;
          if (becomes !== null && (await kindAt(host.files, path)) === null) host.files.put(path, becomes);
        }
        const cold = createDiscovery(host).look({ queries: QUERIES, cwd, stack: places.stack, moment: 'turn' });
        expect(JSON.stringify(await look(places))).toBe(JSON.stringify(await cold));
      }
    }),
    { numRuns: 300 },
  );
});

test('a query lists no file twice, none beyond its cap, and no more than one of a directory', async () => {
  await fc.assert(
    fc.asyncProperty(trees, cwds, async (tree, cwd) => {
      const world = await machine(withDirectories(tree), EXACT, { cwd }).look(places);
      for (const { kind } of QUERIES) {
        const files = world.files.filter((file) => file.kind === kind);
        const isOneEach = kind !== 'all' && kind !== 'straight';
        const realPaths = files.map((file) => file.realPath);
        const directories = files.map((file) => file.directory);
        // Two of the queries are of one kind: each may list a file once.
        const times = kind === 'context-file' ? 2 : 1;
        for (const path of realPaths)
          expect(realPaths.filter((other) => other === path).length).toBeLessThanOrEqual(times);
        if (isOneEach) {
          for (const path of directories)
            expect(directories.filter((other) => other === path).length).toBeLessThanOrEqual(times);
        }
      }
      expect(
        world.files.filter((file) => file.status === 'read' && file.size > 32 && file.kind !== 'system-override'),
      ).toEqual([]);
      const taken = world.searched.flatMap(
        (row) => row.took?.split(', ').map((name) => `${row.kind} ${row.directory}/${name}`) ?? [],
      );
      expect(taken).toEqual(world.files.map((file) => `${file.kind} ${file.directory}/${file.name}`));
    }),
  );
});

test('a fault in one directory takes no other directory’s file away', async () => {
  await fc.assert(
    fc.asyncProperty(trees, cwds, fc.constantFrom(...DIRECTORIES.slice(1)), async (tree, cwd, refused) => {
      // Without links and pointers, through which one directory speaks for another.
      const plain = Object.fromEntries(
        Object.entries(tree).filter(
          ([path, value]) => !path.endsWith('.git') && !(typeof value === 'object' && 'link' in value),
        ),
      );
      const query = { ...EXACT, writableByOthers: 'ignore' } as const;
      const before = await machine(withDirectories(plain), query, { cwd }).look();
      const { look, host } = machine(withDirectories(plain), query, { cwd });
      for (const name of NAMES) host.faults.refuse[`${refused}/${name}`] = 'EACCES';
      const after = await look();
      expect(after.files).toEqual(before.files.filter((file) => file.directory !== refused));
    }),
  );
});
