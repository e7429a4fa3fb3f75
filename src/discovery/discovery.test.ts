import { describe, expect, test } from 'vitest';
import type { MemoryHost } from '../host/memory/index.ts';
import type { Refresh, SourceQuery } from '../model/index.ts';
import { ANY_CASE, EXACT, HOME, LONG_AGO, listed, machine, OVERRIDE } from './test-machine.ts';

const P = '/home/user/project';
const GIT = { [`${P}/.git`]: { directory: true } } as const;

function takeCalls(host: MemoryHost): Record<string, number> {
  const calls = { ...host.calls };
  for (const name of Object.keys(host.calls)) delete host.calls[name];
  return calls;
}

test('a world is what was found, where was searched, and the place it was searched from', async () => {
  const world = await machine(
    { ...GIT, [`${P}/AGENTS.md`]: 'RULE' },
    { ...EXACT, places: [{ at: 'walk', to: 'repository' }] },
    {
      env: { REIN_HOME: '/told' },
    },
  ).look();
  expect(world).toEqual({
    files: [
      {
        kind: 'context-file',
        directory: P,
        name: 'AGENTS.md',
        path: `${P}/AGENTS.md`,
        realPath: `${P}/AGENTS.md`,
        scope: 'project',
        text: 'RULE',
        sha256: '44d0ee0fee34f569267cfe8572a56013fa51b2bc5ceb370cde890824cc616919',
        size: 4,
        mtimeMs: LONG_AGO,
        encoding: 'utf-8',
        status: 'read',
        droppedBytes: 0,
      },
    ],
    searched: [
      {
        kind: 'context-file',
        directory: P,
        scope: 'project',
        looked: ['AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'],
        took: 'AGENTS.md',
        why: 'AGENTS.md taken',
      },
    ],
    diagnostics: [],
    projectRoot: P,
    cwd: P,
    stack: [],
    platform: { os: 'linux', shell: '/bin/sh', home: '/told' },
    git: { root: P, kind: 'directory' },
  });
});

test('within one look a file is read once and a directory listed once, whoever asks and however new they are', async () => {
  const { host, look } = machine(GIT, ANY_CASE);
  host.files.put(`${P}/AGENTS.md`, 'RULE');
  const { kind: _, ...rest } = ANY_CASE;
  await look({ queries: [ANY_CASE, { ...rest, kind: 'again' }, OVERRIDE] });
  const levels = 4;
  expect([host.calls['files.readRegular'], host.calls['files.list']]).toEqual([1, levels]);
});

test('queries keep their order, and a diagnostic of two of them is told once', async () => {
  const { look } = machine({ ...GIT, [`${P}/agents.md`]: 'x', [`${P}/.kli/SYSTEM.md`]: 's' }, EXACT);
  const world = await look({ queries: [OVERRIDE, EXACT, EXACT] });
  expect([
    world.files.map((file) => file.kind),
    world.diagnostics.map(({ code }) => code),
    world.searched.length,
  ]).toEqual([['system-override'], ['discovery/near-miss'], 2 + 2 + 2]);
});

test('whatever the number of queries, a path is looked at once a look', async () => {
  const { look, host } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'x' }, EXACT);
  await look();
  takeCalls(host);
  await look();
  const once = takeCalls(host)['files.stat'];
  await look({ queries: [EXACT, { ...EXACT, kind: 'other' }] });
  expect(takeCalls(host)['files.stat']).toBe(once);
});

test('a query for other names sees them in a directory that was listed before', async () => {
  const { look } = machine({ ...GIT, [`${P}/gemini.md`]: 'g' }, EXACT);
  await look();
  expect(listed(await look({ queries: [ANY_CASE] }))).toEqual([`${P}/gemini.md: g`]);
});

describe('between two looks', () => {
  const files = { ...GIT, [`${P}/AGENTS.md`]: 'V1', [`${P}/a/CLAUDE.md`]: 'c', [`${P}/.kli/SYSTEM.md`]: 's' };
  const everything = [EXACT, ANY_CASE, OVERRIDE];

  test('what did not change is neither read nor listed again, and the world is the same', async () => {
    const { look, host } = machine(files, EXACT, { cwd: `${P}/a` });
    const first = await look({ queries: everything });
    takeCalls(host);
    const second = await look({ queries: everything });
    expect(second).toEqual(first);
    expect(Object.keys(takeCalls(host)).sort()).toEqual(['files.realPath', 'files.stat']);
  });

  test.each([
    ['of another size', { content: 'V1 and more', mtimeMs: LONG_AGO }],
    ['of the same size, at another time', { content: 'V2', mtimeMs: LONG_AGO + 1 }],
    ['of the same size, its time put back', { content: 'V2', mtimeMs: LONG_AGO, ctimeMs: LONG_AGO + 1 }],
    ['another file moved into its place', { content: 'V2', mtimeMs: LONG_AGO }],
  ])('an edit is seen: %s', async (_name, entry) => {
    const { look, host } = machine(files, EXACT);
    await look();
    host.files.put(`${P}/AGENTS.md`, entry);
    expect(listed(await look())).toEqual([`${P}/AGENTS.md: ${entry.content}`]);
  });

  test('a file that changed just before it was read is read again until that is long past', async () => {
    const { look, host } = machine(files, EXACT);
    const now = host.clock.now().epochMs;
    host.files.put(`${P}/AGENTS.md`, { content: 'V2', mtimeMs: now - 500 });
    const reads: (number | undefined)[] = [];
    for (let round = 0; round < 4; round += 1) {
      takeCalls(host);
      await look();
      reads.push(takeCalls(host)['files.readRegular']);
      host.clock.advance(1000);
    }
    expect(reads).toEqual([1, 1, 1, undefined]);
  });

  test('a file of the future is read at each look', async () => {
    const { look, host } = machine(
      { ...GIT, [`${P}/AGENTS.md`]: { content: 'V1', mtimeMs: Date.parse('2030-01-01') } },
      EXACT,
    );
    await look();
    takeCalls(host);
    await look();
    expect(takeCalls(host)['files.readRegular']).toBe(1);
  });

  test.each([
    ['exact names', EXACT],
    ['any letter case', ANY_CASE],
  ])('a file that joins and one that leaves are seen (%s)', async (_name, query) => {
    const { look, host } = machine({ ...GIT, [`${P}/CLAUDE.md`]: 'c' }, query);
    const worlds = [listed(await look())];
    host.clock.advance(60_000);
    host.files.put(`${P}/AGENTS.md`, 'joined');
    worlds.push(listed(await look()));
    host.clock.advance(60_000);
    await host.files.remove(`${P}/AGENTS.md`);
    worlds.push(listed(await look()));
    expect(worlds).toEqual([[`${P}/CLAUDE.md: c`], [`${P}/AGENTS.md: joined`], [`${P}/CLAUDE.md: c`]]);
  });

  test('another target of a link is seen', async () => {
    const tree = { ...GIT, '/one.md': 'one', '/two.md': 'two', [`${P}/AGENTS.md`]: { link: '/one.md' } };
    const { look, host } = machine(tree, EXACT, { trusted: true });
    const first = await look();
    host.files.put(`${P}/AGENTS.md`, { link: '/two.md' });
    const second = await look();
    expect([first, second].map((world) => world.files.map((file) => `${file.realPath}: ${file.text}`))).toEqual([
      ['/one.md: one'],
      ['/two.md: two'],
    ]);
  });

  test('a repository made around the working directory is seen at the next turn', async () => {
    const { look, host } = machine({ [`${P}/a/AGENTS.md`]: 'a' }, EXACT, { cwd: `${P}/a` });
    const roots = [(await look()).projectRoot];
    host.files.put(`${P}/.git`, { directory: true });
    roots.push((await look({ moment: 'request' })).projectRoot, (await look({ moment: 'turn' })).projectRoot);
    expect(roots).toEqual([null, null, P]);
  });
});

describe('how often a source is looked at', () => {
  /** For each moment in turn: which of the four sources saw the file as it was just before. */
  async function fresh(moments: readonly ('startup' | 'turn' | 'request' | 'reload')[]): Promise<string[]> {
    const kinds: Refresh[] = ['startup', 'turn', 'request', 'once-per-session'];
    const queries = kinds.map((refresh): SourceQuery => ({ ...EXACT, kind: refresh, refresh }));
    const { look, host, discovery } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'v0' }, EXACT);
    await look({ queries, moment: 'startup' });
    const seen: string[] = [];
    for (const [index, moment] of moments.entries()) {
      host.clock.advance(60_000);
      host.files.put(`${P}/AGENTS.md`, `v${index + 1}`);
      if (moment === 'reload') discovery.reload();
      const world = await look({ queries, moment: moment === 'reload' ? 'request' : moment });
      const current = world.files.filter((file) => file.text === `v${index + 1}`);
      seen.push(`${moment}: ${current.map((file) => file.kind).join(' ')}`);
    }
    return seen;
  }

  test('each moment looks at what is as quick as it or quicker, a reload at all but what holds for the session', async () => {
    expect(await fresh(['request', 'turn', 'request', 'startup', 'reload', 'turn'])).toEqual([
      'request: request',
      'turn: turn request',
      'request: request',
      'startup: startup turn request',
      'reload: startup turn request',
      'turn: turn request',
    ]);
  });

  test('a reload reads what it could know already', async () => {
    const { look, host, discovery } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'x' }, EXACT);
    await look();
    takeCalls(host);
    discovery.reload();
    await look();
    expect(takeCalls(host)['files.readRegular']).toBe(1);
  });

  test('a source asked for the first time is looked at whatever the moment', async () => {
    const { look } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'x' }, { ...EXACT, refresh: 'startup' });
    expect(listed(await look({ moment: 'request' }))).toEqual([`${P}/AGENTS.md: x`]);
  });

  test('what was found at the start holds wherever one goes and however much is asked, until a reload', async () => {
    const places = [
      { at: 'project', inside: '.kli', scope: 'project', reportNearer: false, from: 'session-start' },
      { at: 'directory', path: `${HOME}/.config/kli`, scope: 'user' },
    ] as const;
    const start = { ...OVERRIDE, places, refresh: 'startup' } as const;
    const embedded = { ...start, places: [{ at: 'file', path: `${P}/n.md`, scope: 'project' }] } as const;
    const { look, host, discovery } = machine({ ...GIT, [`${P}/.kli/SYSTEM.md`]: 'V1', [`${P}/n.md`]: 'N1' }, start);
    await look({ queries: [start], stack: [P], moment: 'startup' });
    await look({ queries: [embedded], stack: [P] });
    host.files.put(`${P}/.kli/SYSTEM.md`, 'V2 now');
    host.files.put(`${P}/n.md`, 'N2 now');
    for (let index = 0; index < 300; index += 1) await look({ queries: [{ ...EXACT, names: [`${index}.md`] }] });
    const entered = { cwd: `${P}/a`, stack: [P, `${P}/a`] };
    const found = async (query: SourceQuery): Promise<string[]> => listed(await look({ queries: [query], ...entered }));
    expect([await found(start), await found(embedded)]).toEqual([[`${P}/.kli/SYSTEM.md: V1`], [`${P}/n.md: N1`]]);
    discovery.reload();
    expect([await found(start), await found(embedded)]).toEqual([
      [`${P}/.kli/SYSTEM.md: V2 now`],
      [`${P}/n.md: N2 now`],
    ]);
  });

  test('an answer holds for its working directory only', async () => {
    const { look } = machine({ ...GIT, [`${P}/a/AGENTS.md`]: 'a' }, { ...EXACT, refresh: 'startup' });
    await look({ moment: 'startup' });
    expect(listed(await look({ moment: 'request', cwd: `${P}/a` }))).toEqual([`${P}/a/AGENTS.md: a`]);
  });
});

describe('cost', () => {
  function tree(files: number): Record<string, string | { directory: true }> {
    const many = Array.from({ length: files }, (_, index) => [`${P}/src/d${index % 97}/f${index}.ts`, ''] as const);
    return { ...GIT, [`${P}/AGENTS.md`]: 'root', ...Object.fromEntries(many) };
  }

  test('a tree of 20,000 files costs the same calls as one of 100', async () => {
    const calls = [];
    for (const size of [100, 20_000]) {
      const { look, host } = machine(tree(size), EXACT, { cwd: `${P}/src/d1` });
      await look({ queries: [EXACT, ANY_CASE, OVERRIDE] });
      calls.push(takeCalls(host));
    }
    expect(calls[1]).toEqual(calls[0]);
  });

  test('a second look is one stat a file taken and one a directory, however many names and markers are not there', async () => {
    const levels = Array.from({ length: 10 }, (_, index) => `${P}${'/d'.repeat(index)}`);
    const files = Object.fromEntries(levels.map((level) => [`${level}/AGENTS.md`, 'x']));
    const { look, host } = machine({ ...GIT, ...files }, EXACT, { cwd: levels.at(-1) ?? P });
    await look();
    takeCalls(host);
    await look();
    const marker = 1;
    // The user's own directory, where nothing is, and the one above it that is there.
    const home = 2;
    expect(takeCalls(host)).toEqual({ 'files.stat': 2 * levels.length + marker + home, 'files.realPath': 1 });
  });

  test('what was not there is found when it comes, also behind a link that led to nothing', async () => {
    const { look, host } = machine({ ...GIT, [`${P}/CLAUDE.md`]: { link: '../later.md' } }, EXACT, { trusted: true });
    for (let round = 0; round < 3; round += 1) expect(listed(await look())).toEqual([]);
    host.files.put('/home/user/later.md', 'linked');
    const linked = listed(await look());
    host.clock.advance(10_000);
    await look();
    host.files.put(`${P}/AGENTS.md`, 'own');
    expect([linked, listed(await look())]).toEqual([[`${P}/CLAUDE.md: linked`], [`${P}/AGENTS.md: own`]]);
  });

  test('a file that could not be read once is tried again, though nothing of it changed', async () => {
    const { look, host } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'rules' }, EXACT);
    host.faults.refuse[`${P}/AGENTS.md`] = 'EIO';
    const refused = listed(await look());
    delete host.faults.refuse[`${P}/AGENTS.md`];
    expect([refused, listed(await look())]).toEqual([[], [`${P}/AGENTS.md: rules`]]);
  });
});
