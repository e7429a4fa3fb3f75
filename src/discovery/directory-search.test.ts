import { describe, expect, test } from 'vitest';
import { FileError } from '../host/index.ts';
import type { SourceQuery } from '../model/index.ts';
import { createDiscovery } from './discovery.ts';
import { ANY_CASE, EXACT, listed, machine, OVERRIDE, reasons, told } from './test-machine.ts';

const P = '/home/user/project';
const GIT = { [`${P}/.git`]: { directory: true } } as const;
const HERE: SourceQuery['places'] = [{ at: 'walk', to: 'repository' }];
const exact: SourceQuery = { ...EXACT, places: HERE };
const anyCase: SourceQuery = { ...ANY_CASE, places: HERE };

type Tree = Parameters<typeof machine>[0];

async function search(files: Tree, query: SourceQuery): Promise<unknown> {
  const world = await machine({ ...GIT, ...files }, query).look();
  return { files: listed(world), why: reasons(world), told: told(world) };
}

describe('names', () => {
  test('the first of the names that exists is taken, and the one beside it named', async () => {
    expect(await search({ [`${P}/CLAUDE.md`]: 'c', [`${P}/AGENTS.MD`]: 'a' }, exact)).toEqual({
      files: [`${P}/AGENTS.MD: a`],
      why: [`${P}: AGENTS.MD taken; CLAUDE.md beside it not read (one file per directory)`],
      told: [],
    });
  });

  test('a directory without any of them says so', async () => {
    expect(await search({}, exact)).toEqual({
      files: [],
      why: [`${P}: no AGENTS.md, AGENTS.MD, CLAUDE.md, CLAUDE.MD here`],
      told: [],
    });
  });

  test('where only exact names count, another spelling is not read and told', async () => {
    expect(await search({ [`${P}/agents.md`]: 'a', [`${P}/Claude.md`]: 'c' }, exact)).toEqual({
      files: [],
      why: [
        `${P}: Claude.md is not read: the name must be spelled CLAUDE.md; ` +
          'agents.md is not read: the name must be spelled AGENTS.md',
      ],
      told: [
        `info discovery/near-miss ${P}/Claude.md: Claude.md is not read: the name must be spelled CLAUDE.md`,
        `info discovery/near-miss ${P}/agents.md: agents.md is not read: the name must be spelled AGENTS.md`,
      ],
    });
  });

  test.each(['agents.md', 'AGENTS.MD', 'Claude.md', 'CLAUDE.md', 'gemini.MD'])(
    'in any letter case %s is found',
    async (name) => {
      const world = await machine({ ...GIT, [`${P}/${name}`]: 'CASE-1' }, anyCase).look();
      expect(listed(world)).toEqual([`${P}/${name}: CASE-1`]);
    },
  );

  test('of two spellings of one name the canonical is taken, then the first by code point, and the other told', async () => {
    expect(await search({ [`${P}/agents.md`]: 'small', [`${P}/AGENTS.md`]: 'CASE-1' }, anyCase)).toEqual({
      files: [`${P}/AGENTS.md: CASE-1`],
      why: [`${P}: AGENTS.md taken; agents.md beside it not read (one file per directory)`],
      told: [
        `info discovery/near-miss ${P}/agents.md: agents.md is not read: AGENTS.md beside it is the same name in another case`,
      ],
    });
    const two = await machine({ ...GIT, [`${P}/agents.md`]: 'b', [`${P}/Agents.md`]: 'a' }, anyCase).look();
    expect(listed(two)).toEqual([`${P}/Agents.md: a`]);
  });

  test('preference goes by name before spelling: agents.md before CLAUDE.md', async () => {
    const world = await machine({ ...GIT, [`${P}/agents.md`]: 'a', [`${P}/CLAUDE.md`]: 'c' }, anyCase).look();
    expect(listed(world)).toEqual([`${P}/agents.md: a`]);
  });

  test('a link beside its target counts once where all names are taken', async () => {
    const all: SourceQuery = { ...anyCase, perDirectory: 'all' };
    expect(await search({ [`${P}/AGENTS.md`]: 'ONE-1', [`${P}/CLAUDE.md`]: { link: 'AGENTS.md' } }, all)).toEqual({
      files: [`${P}/AGENTS.md: ONE-1`],
      why: [`${P}: AGENTS.md taken; CLAUDE.md is the file already listed as ${P}/AGENTS.md`],
      told: [],
    });
  });
});

test('on a disk that knows no letter case one file counts once, and nothing stands beside it', async () => {
  const { host } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'ONE-1' }, exact);
  const files = new Proxy(host.files, {
    get: (target, name) =>
      name === 'stat'
        ? (path: string) => target.stat(path.replace('AGENTS.MD', 'AGENTS.md'))
        : Reflect.get(target, name, target),
  });
  const worlds = [];
  for (const perDirectory of ['first', 'all'] as const) {
    const discovery = createDiscovery({ ...host, files });
    const queries = [{ ...exact, perDirectory }];
    worlds.push(await discovery.look({ queries, cwd: P, stack: [], moment: 'turn' }));
  }
  expect(worlds.map((world) => [listed(world), reasons(world)])).toEqual([
    [[`${P}/AGENTS.md: ONE-1`], [`${P}: AGENTS.md taken`]],
    [[`${P}/AGENTS.md: ONE-1`], [`${P}: AGENTS.md taken`]],
  ]);
});

describe('what is not taken', () => {
  test('a file of exactly the cap is read; one byte more and the next name is tried', async () => {
    const small: SourceQuery = { ...exact, cap: 4 };
    expect(await search({ [`${P}/AGENTS.md`]: '1234', [`${P}/CLAUDE.md`]: 'c' }, small)).toEqual({
      files: [`${P}/AGENTS.md: 1234`],
      why: [`${P}: AGENTS.md taken; CLAUDE.md beside it not read (one file per directory)`],
      told: [],
    });
    expect(await search({ [`${P}/AGENTS.md`]: '12345', [`${P}/CLAUDE.md`]: 'c' }, small)).toEqual({
      files: [`${P}/CLAUDE.md: c`],
      why: [`${P}: CLAUDE.md taken; AGENTS.md is 5 bytes, over the cap of 4: as if absent`],
      told: [`warning discovery/over-cap ${P}/AGENTS.md: AGENTS.md is 5 bytes, over the cap of 4: as if absent`],
    });
  });

  test('over the cap, a query may have the directory contribute nothing', async () => {
    const files = { [`${P}/AGENTS.md`]: '12345', [`${P}/CLAUDE.md`]: 'c' };
    expect(await search(files, { ...exact, cap: 4, overCap: 'skip' })).toEqual({
      files: [],
      why: [`${P}: AGENTS.md is 5 bytes, over the cap of 4: nothing of this directory is read`],
      told: [
        `warning discovery/over-cap ${P}/AGENTS.md: AGENTS.md is 5 bytes, over the cap of 4: nothing of this directory is read`,
      ],
    });
  });

  test('over the cap, a path may be given without its text', async () => {
    const { look, host } = machine({ ...GIT, [`${P}/AGENTS.md`]: '12345' }, { ...exact, cap: 4, overCap: 'path-only' });
    const world = await look();
    expect(world.files).toEqual([
      {
        kind: 'context-file',
        directory: P,
        name: 'AGENTS.md',
        path: `${P}/AGENTS.md`,
        realPath: `${P}/AGENTS.md`,
        scope: 'project',
        text: '',
        sha256: 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
        size: 5,
        mtimeMs: Date.parse('2026-01-01T00:00:00Z'),
        encoding: 'utf-8',
        status: 'path-only',
        droppedBytes: 0,
      },
    ]);
    expect(host.calls['files.readRegular']).toBeUndefined();
  });

  test('over the cap, a file may be cut between characters, and the bytes left out are counted', async () => {
    const query: SourceQuery = { ...exact, cap: 4, overCap: 'cut' };
    const world = await machine({ ...GIT, [`${P}/AGENTS.md`]: 'abcéfg' }, query).look();
    expect(world.files.map(({ text, status, size, droppedBytes }) => ({ text, status, size, droppedBytes }))).toEqual([
      { text: 'abc', status: 'cut', size: 7, droppedBytes: 4 },
    ]);
    expect(told(world)).toEqual([
      `warning discovery/over-cap ${P}/AGENTS.md: AGENTS.md is 7 bytes, over the cap of 4: its last 4 bytes are left out`,
    ]);
  });

  test('a directory and a named pipe with a candidate’s name are passed over', async () => {
    const files = {
      [`${P}/AGENTS.md`]: { directory: true },
      [`${P}/AGENTS.MD`]: { fifo: true },
      [`${P}/CLAUDE.md`]: 'c',
    } as const;
    expect(await search(files, exact)).toEqual({
      files: [`${P}/CLAUDE.md: c`],
      why: [
        `${P}: CLAUDE.md taken; AGENTS.md is a directory, not a regular file: as if absent; ` +
          'AGENTS.MD is a named pipe, not a regular file: as if absent',
      ],
      told: [
        `warning discovery/not-regular ${P}/AGENTS.md: AGENTS.md is a directory, not a regular file: as if absent`,
        `warning discovery/not-regular ${P}/AGENTS.MD: AGENTS.MD is a named pipe, not a regular file: as if absent`,
      ],
    });
  });

  test('a loop of links is passed over and told', async () => {
    const files = { [`${P}/AGENTS.md`]: { link: 'AGENTS.md' }, [`${P}/CLAUDE.md`]: 'c' };
    expect(await search(files, exact)).toEqual({
      files: [`${P}/CLAUDE.md: c`],
      why: [`${P}: CLAUDE.md taken; AGENTS.md cannot be read: as if absent`],
      told: [
        `warning discovery/unreadable ${P}/AGENTS.md: AGENTS.md cannot be read: ` +
          `cannot stat ${P}/AGENTS.md: too many levels of links: as if absent`,
      ],
    });
  });

  test.each([
    ['exact names', exact],
    ['any letter case', anyCase],
  ])('a link to nothing is told (%s)', async (_name, query) => {
    expect(await search({ [`${P}/AGENTS.md`]: { link: 'gone.md' } }, query)).toEqual({
      files: [],
      why: [`${P}: AGENTS.md is a link to nothing: as if absent`],
      told: [`warning discovery/dangling-link ${P}/AGENTS.md: AGENTS.md is a link to nothing: as if absent`],
    });
  });

  test('a file without permission is passed over, and the next name tried', async () => {
    const { look, host } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'a', [`${P}/CLAUDE.md`]: 'c' }, exact);
    host.faults.refuse[`${P}/AGENTS.md`] = 'EACCES';
    const world = await look();
    expect([listed(world), reasons(world)]).toEqual([
      [`${P}/CLAUDE.md: c`],
      [`${P}: CLAUDE.md taken; AGENTS.md cannot be read: as if absent`],
    ]);
  });

  test('a directory that may be entered and not listed is still asked for the exact names', async () => {
    const { host } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'a', [`${P}/claude.md`]: 'c' }, anyCase);
    const list = host.files.list.bind(host.files);
    const files = new Proxy(host.files, {
      get: (target, name) =>
        name === 'list'
          ? (path: string) => (path === P ? Promise.reject(new FileError('list', path, 'EACCES')) : list(path))
          : Reflect.get(target, name, target),
    });
    const discovery = createDiscovery({ ...host, files });
    const world = await discovery.look({ queries: [anyCase], cwd: P, stack: [], moment: 'turn' });
    expect([listed(world), told(world)]).toEqual([
      [`${P}/AGENTS.md: a`],
      [`warning discovery/unreadable ${P}: only the exact names are tried: cannot list ${P}: permission denied`],
    ]);
  });

  test('a directory that may not be searched is told once, not once a name', async () => {
    const { look, host } = machine({ ...GIT, [`${P}/a/x`]: '', [`${P}/AGENTS.md`]: 'root' }, exact, { cwd: `${P}/a` });
    host.faults.refuse[`${P}/a`] = 'EACCES';
    const world = await look();
    expect([listed(world), told(world)]).toEqual([
      [`${P}/AGENTS.md: root`],
      [
        `warning discovery/unreadable ${P}/a/AGENTS.md: AGENTS.md cannot be read: cannot stat ${P}/a/AGENTS.md: ` +
          'permission denied: as if absent',
      ],
    ]);
  });

  test('strictly decoded, what is not UTF-8 is passed over', async () => {
    const files = { [`${P}/AGENTS.md`]: Uint8Array.of(0xff, 0xfe, 0x41, 0), [`${P}/CLAUDE.md`]: 'c' };
    expect(await search(files, { ...exact, decode: 'strict' })).toEqual({
      files: [`${P}/CLAUDE.md: c`],
      why: [`${P}: CLAUDE.md taken; AGENTS.md is not UTF-8: as if absent`],
      told: [`warning discovery/not-utf8 ${P}/AGENTS.md: AGENTS.md is not UTF-8: as if absent`],
    });
  });

  test('sniffed, one invalid byte is replaced with one warning that says where', async () => {
    expect(await search({ [`${P}/AGENTS.md`]: Uint8Array.of(0x41, 0xc3, 0x28) }, exact)).toEqual({
      files: [`${P}/AGENTS.md: A\ufffd(`],
      why: [`${P}: AGENTS.md taken`],
      told: [
        `warning discovery/invalid-bytes ${P}/AGENTS.md: AGENTS.md has bytes that are not utf-8, the first at offset 1: each becomes U+FFFD`,
      ],
    });
  });

  test('a blank file is taken or as if absent, as the query says', async () => {
    const files = { [`${P}/AGENTS.md`]: ' \t\r\n', [`${P}/CLAUDE.md`]: 'c' };
    const present = await machine({ ...GIT, ...files }, exact).look();
    const absent = await machine({ ...GIT, ...files }, { ...exact, blank: 'absent' }).look();
    const last = { ...exact, blank: 'last' } as const;
    const beside = await machine({ ...GIT, ...files }, last).look();
    const alone = await machine({ ...GIT, [`${P}/AGENTS.md`]: ' \t\r\n', [`${P}/CLAUDE.md`]: '' }, last).look();
    expect([reasons(beside), reasons(alone)]).toEqual([
      reasons(absent),
      [`${P}: AGENTS.md taken; CLAUDE.md is blank: as if absent; AGENTS.md is blank: it says nothing`],
    ]);
    expect([reasons(present), reasons(absent)]).toEqual([
      [`${P}: AGENTS.md taken; CLAUDE.md beside it not read (one file per directory)`],
      [`${P}: CLAUDE.md taken; AGENTS.md is blank: as if absent`],
    ]);
  });
});

describe('a link that the checkout did not make', () => {
  const files = { [`${P}/AGENTS.md`]: './GEMINI.md\r\n', [`${P}/CLAUDE.md`]: 'c', [`${P}/GEMINI.md`]: 'ONE-1' };

  test('is followed where the query says so, before the names in between', async () => {
    expect(await search(files, anyCase)).toEqual({
      files: [`${P}/GEMINI.md: ONE-1`],
      why: [
        `${P}: GEMINI.md taken; AGENTS.md holds nothing but the name GEMINI.md, like a link that the checkout did not ` +
          'make: GEMINI.md is tried in its place; CLAUDE.md beside it not read (one file per directory)',
      ],
      told: [
        `info discovery/unmade-link ${P}/AGENTS.md: AGENTS.md holds nothing but the name GEMINI.md, like a link that ` +
          'the checkout did not make: GEMINI.md is tried in its place',
      ],
    });
  });

  test('is sent as it is where the query says so, and told', async () => {
    const query = { ...exact, names: ['AGENTS.md', 'GEMINI.md'] };
    expect(await search({ [`${P}/AGENTS.md`]: 'GEMINI.md', [`${P}/GEMINI.md`]: 'x' }, query)).toEqual({
      files: [`${P}/AGENTS.md: GEMINI.md`],
      why: [
        `${P}: AGENTS.md taken; AGENTS.md holds nothing but the name GEMINI.md, like a link that the checkout did not ` +
          'make: taken as it is; GEMINI.md beside it not read (one file per directory)',
      ],
      told: [
        `info discovery/unmade-link ${P}/AGENTS.md: AGENTS.md holds nothing but the name GEMINI.md, like a link that ` +
          'the checkout did not make: taken as it is',
      ],
    });
  });

  test('two that name each other are neither followed for ever nor sent', async () => {
    const world = await machine(
      { ...GIT, [`${P}/AGENTS.md`]: 'CLAUDE.md', [`${P}/CLAUDE.md`]: 'AGENTS.md' },
      anyCase,
    ).look();
    expect(listed(world)).toEqual([]);
  });

  test.each([
    ['a name that is no candidate', 'README.md'],
    ['a candidate that is not there', 'GEMINI.md'],
    ['its own name', 'AGENTS.md'],
    ['a second line', 'CLAUDE.md\n\n'],
    ['words around the name', 'see CLAUDE.md'],
  ])('is not seen in %s', async (_name, text) => {
    const tree = { ...GIT, [`${P}/AGENTS.md`]: text, [`${P}/CLAUDE.md`]: 'c', [`${P}/README.md`]: 'r' };
    const world = await machine(tree, anyCase).look();
    expect([listed(world), told(world)]).toEqual([[`${P}/AGENTS.md: ${text}`], []]);
  });
});

describe('a file that others could have planted', () => {
  const query: SourceQuery = { ...ANY_CASE, places: [{ at: 'walk', to: 'file-system' }] };
  const open = { '/tmp': { directory: true, mode: 0o1777, uid: 0 } } as const;

  test('above the project is skipped and named when its directory is open to all, sticky or not', async () => {
    const world = await machine({ ...open, '/tmp/AGENTS.md': 'PLANT-1', '/tmp/u/job/x': '' }, query, {
      cwd: '/tmp/u/job',
    }).look();
    expect([listed(world), told(world)]).toEqual([
      [],
      [
        'warning discovery/writable-by-others /tmp/AGENTS.md: AGENTS.md lies in /tmp, which is writable by everyone: ' +
          'it lies outside the project and is not read',
      ],
    ]);
  });

  test.each([
    ['belongs to another user', { content: 'PLANT-1', uid: 1001 }, 'belongs to another user (1001)'],
    ['is writable by its group', { content: 'PLANT-1', mode: 0o664 }, 'is writable by its group'],
    ['is writable by everyone', { content: 'PLANT-1', mode: 0o646 }, 'is writable by everyone'],
  ])('above the project is skipped when it %s', async (_name, entry, why) => {
    const world = await machine({ ...GIT, '/home/AGENTS.md': entry }, query).look();
    expect([listed(world), told(world)]).toEqual([
      [],
      [
        `warning discovery/writable-by-others /home/AGENTS.md: AGENTS.md ${why}: it lies outside the project and is not read`,
      ],
    ]);
  });

  test('behind a link is judged by the directory of the link’s target too', async () => {
    const tree = { ...GIT, ...open, '/tmp/real.md': 'PLANT-1', '/home/AGENTS.md': { link: '/tmp/real.md' } };
    const world = await machine(tree, query).look();
    expect(told(world)).toEqual([
      'warning discovery/writable-by-others /home/AGENTS.md: AGENTS.md lies in /tmp, which is writable by everyone: ' +
        'it lies outside the project and is not read',
    ]);
  });

  test('is read with a notice where the query says so, and without one where it does not ask', async () => {
    const tree = { ...GIT, '/home/AGENTS.md': { content: 'x', mode: 0o666 } };
    const notice = await machine(tree, { ...query, writableByOthers: 'notice' }).look();
    const ignore = await machine(tree, { ...query, writableByOthers: 'ignore' }).look();
    expect([listed(notice), told(notice), listed(ignore), told(ignore)]).toEqual([
      ['/home/AGENTS.md: x'],
      [
        'warning discovery/writable-by-others /home/AGENTS.md: AGENTS.md is writable by everyone: it is read all the same',
      ],
      ['/home/AGENTS.md: x'],
      [],
    ]);
  });

  test('root’s own files, and any file within the project, are not asked about', async () => {
    const tree = {
      ...GIT,
      '/home/AGENTS.md': { content: 'root', uid: 0 },
      [`${P}/AGENTS.md`]: { content: 'mine', mode: 0o666, uid: 7 },
    };
    const world = await machine(tree, query).look();
    expect([listed(world), told(world)]).toEqual([['/home/AGENTS.md: root', `${P}/AGENTS.md: mine`], []]);
  });

  test('leaves the next name of its directory to be tried', async () => {
    const tree = { ...GIT, '/home/AGENTS.md': { content: 'x', mode: 0o666 }, '/home/CLAUDE.md': 'mine' };
    expect(listed(await machine(tree, query).look())).toEqual(['/home/CLAUDE.md: mine']);
  });
});

test('a name with control characters and placeholders is shown escaped and its content untouched', async () => {
  const name = 'A\n\u001b[31m\u0024{X}.md';
  const query: SourceQuery = { ...exact, names: [name, 'B.md'] };
  expect(await search({ [`${P}/${name}`]: '$& \u0024{HOME}\n', [`${P}/B.md`]: 'b' }, query)).toEqual({
    files: [`${P}/${name}: $& \${HOME}\n`],
    why: [`${P}: A\\u000a\\u001b[31m\${X}.md taken; B.md beside it not read (one file per directory)`],
    told: [],
  });
});

test('a name longer than the system takes is passed over and told', async () => {
  const long = `${'x'.repeat(300)}.md`;
  const world = await machine({ ...GIT, [`${P}/B.md`]: 'b' }, { ...exact, names: [long, 'B.md'] }).look();
  expect([listed(world), world.diagnostics.map((diagnostic) => diagnostic.code)]).toEqual([
    [`${P}/B.md: b`],
    ['discovery/unreadable'],
  ]);
});

test('an override that is blank is as if absent, and the user’s own is taken', async () => {
  const tree = { ...GIT, [`${P}/.kli/SYSTEM.md`]: ' \n', '/home/user/.config/kli/SYSTEM.md': 'mine' };
  const world = await machine(tree, OVERRIDE).look();
  expect([listed(world), reasons(world)]).toEqual([
    ['/home/user/.config/kli/SYSTEM.md: mine'],
    [`${P}/.kli: SYSTEM.md is blank: as if absent`, '/home/user/.config/kli: SYSTEM.md taken'],
  ]);
});
