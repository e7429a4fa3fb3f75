import { describe, expect, test } from 'vitest';
import { ANY_CASE, EXACT, listed, machine, OVERRIDE, reasons, told } from './test-machine.ts';

const P = '/home/user/project';
const GIT = { [`${P}/.git`]: { directory: true } } as const;
const DEEP = `${P}/a/b`;

describe('the walk', () => {
  const files = {
    ...GIT,
    '/AGENTS.md': 'top',
    '/home/user/AGENTS.md': 'above',
    '/home/user/.config/kli/CLAUDE.md': 'global',
    '/home/user/.config/rein/AGENTS.md': 'mine',
    [`${P}/AGENTS.md`]: 'root',
    [`${P}/a/CLAUDE.md`]: 'mid',
    [`${DEEP}/AGENTS.md`]: 'here',
  };

  test('goes to the repository root, which it includes, and lists the outermost first, the user’s before all', async () => {
    const world = await machine(files, EXACT, { cwd: DEEP }).look();
    expect(world.files.map((file) => `${file.scope} ${file.path}`)).toEqual([
      'user /home/user/.config/kli/CLAUDE.md',
      `project ${P}/AGENTS.md`,
      `directory ${P}/a/CLAUDE.md`,
      `directory ${DEEP}/AGENTS.md`,
    ]);
  });

  test('may go on to the root of the file system', async () => {
    const world = await machine(files, { ...ANY_CASE, writableByOthers: 'ignore' }, { cwd: DEEP }).look();
    expect(world.files.map((file) => `${file.scope} ${file.path}`)).toEqual([
      'user /home/user/.config/rein/AGENTS.md',
      'ancestor /AGENTS.md',
      'ancestor /home/user/AGENTS.md',
      `project ${P}/AGENTS.md`,
      `directory ${P}/a/CLAUDE.md`,
      `directory ${DEEP}/AGENTS.md`,
    ]);
  });

  test('may list the innermost first', async () => {
    const world = await machine(files, { ...EXACT, order: 'innermost-first' }, { cwd: DEEP }).look();
    expect(world.files.map((file) => file.text)).toEqual(['here', 'mid', 'root', 'global']);
  });

  test('outside a repository takes the whole chain, and the working directory stands for the project', async () => {
    const bare = { ...files, [`${P}/.git`]: { fifo: true } } as const;
    const world = await machine(bare, { ...EXACT, writableByOthers: 'ignore' }, { cwd: DEEP }).look();
    expect(world.files.map((file) => `${file.scope} ${file.path}`)).toEqual([
      'user /home/user/.config/kli/CLAUDE.md',
      'ancestor /AGENTS.md',
      'ancestor /home/user/AGENTS.md',
      `ancestor ${P}/AGENTS.md`,
      `ancestor ${P}/a/CLAUDE.md`,
      `project ${DEEP}/AGENTS.md`,
    ]);
    const here = { ...EXACT, places: [{ at: 'walk', to: 'repository-or-here' } as const] };
    expect(listed(await machine(bare, here, { cwd: DEEP }).look())).toEqual([`${DEEP}/AGENTS.md: here`]);
  });

  test('may look inside a directory at each level', async () => {
    const inside = { ...EXACT, places: [{ at: 'walk', to: 'repository', inside: '.kimi' } as const] };
    const tree = { ...files, [`${P}/.kimi/AGENTS.md`]: 'root kimi', [`${DEEP}/.kimi/AGENTS.md`]: 'kimi' };
    const world = await machine(tree, inside, { cwd: DEEP }).look();
    expect(world.files.map((file) => `${file.scope} ${file.path}`)).toEqual([
      `project ${P}/.kimi/AGENTS.md`,
      `directory ${DEEP}/.kimi/AGENTS.md`,
    ]);
  });

  test('starts at the real directory where the working directory is a link', async () => {
    const world = await machine({ ...files, '/link': { link: DEEP } }, EXACT, { cwd: '/link' }).look();
    expect([world.cwd, world.projectRoot, world.files.map((file) => file.text)]).toEqual([
      DEEP,
      P,
      ['global', 'root', 'mid', 'here'],
    ]);
  });

  test('deeper than 256 levels keeps the innermost and the root, and says so', async () => {
    const deep = `${P}${'/d'.repeat(300)}`;
    const tree = { ...GIT, [`${P}/AGENTS.md`]: 'root', [`${P}/d/AGENTS.md`]: 'lost', [`${deep}/AGENTS.md`]: 'here' };
    const world = await machine(tree, { ...EXACT, places: [{ at: 'walk', to: 'repository' }] }, { cwd: deep }).look();
    expect([
      world.files.map((file) => file.text),
      world.searched.length,
      world.diagnostics.map(({ code }) => code),
    ]).toEqual([['root', 'here'], 256, ['discovery/too-deep']]);
  });
});

describe('one file reached twice', () => {
  test('is listed at its first position only, when the user’s directory lies on the way', async () => {
    const cwd = '/home/user/.config/kli';
    const world = await machine({ [`${cwd}/AGENTS.md`]: 'global', [`${cwd}/CLAUDE.md`]: 'c' }, EXACT, { cwd }).look();
    expect([world.files.map((file) => `${file.scope} ${file.path}`), reasons(world).at(-1)]).toEqual([
      [`user ${cwd}/AGENTS.md`],
      `${cwd}: CLAUDE.md beside it not read (one file per directory); AGENTS.md is the file already listed as ${cwd}/AGENTS.md`,
    ]);
  });

  test('by links from two directories, is listed outermost, and no next name takes its place', async () => {
    const tree = {
      ...GIT,
      '/shared.md': 'S',
      [`${P}/AGENTS.md`]: { link: '/shared.md' },
      [`${DEEP}/AGENTS.md`]: { link: '../../../../../shared.md' },
      [`${DEEP}/CLAUDE.md`]: 'c',
    };
    expect(listed(await machine(tree, EXACT, { cwd: DEEP, trusted: true }).look())).toEqual([`${P}/AGENTS.md: S`]);
    expect(listed(await machine(tree, { ...EXACT, dedupe: 'none' }, { cwd: DEEP, trusted: true }).look())).toEqual([
      `${P}/AGENTS.md: S`,
      `${DEEP}/AGENTS.md: S`,
    ]);
  });

  test('is not what two files of equal content are', async () => {
    const tree = { ...GIT, [`${P}/AGENTS.md`]: 'same', [`${DEEP}/AGENTS.md`]: 'same' };
    expect(listed(await machine(tree, EXACT, { cwd: DEEP }).look())).toEqual([
      `${P}/AGENTS.md: same`,
      `${DEEP}/AGENTS.md: same`,
    ]);
  });
});

describe('a link out of the project', () => {
  const SECRET = { ...GIT, '/home/user/.ssh/key': 'K', [`${P}/AGENTS.md`]: { link: '../.ssh/key' } };
  const untilTrusted = 'as if absent until the project is trusted (rein trust)';

  test('is as if absent and told; one that stays inside is followed', async () => {
    const inside = { ...GIT, [`${P}/docs/rules.md`]: 'R', [`${P}/AGENTS.md`]: { link: 'docs/rules.md' } };
    const worlds = [
      await machine({ ...SECRET, [`${P}/CLAUDE.md`]: 'c' }, EXACT).look(),
      await machine(SECRET, { ...EXACT, cap: 0, overCap: 'path-only' }).look(),
      await machine(inside, EXACT).look(),
    ];
    const barred = `warning discovery/leads-outside ${P}/AGENTS.md: AGENTS.md is a link out of the project, to /home/user/.ssh/key: ${untilTrusted}`;
    expect(worlds.map((world) => [listed(world), told(world)])).toEqual([
      [[`${P}/CLAUDE.md: c`], [barred]],
      [[], [barred]],
      [[`${P}/AGENTS.md: R`], []],
    ]);
  });

  test('is followed and told in a project that is trusted', async () => {
    const world = await machine(SECRET, EXACT, { trusted: true }).look();
    expect([listed(world), told(world)]).toEqual([
      [`${P}/AGENTS.md: K`],
      [
        `warning discovery/leads-outside ${P}/AGENTS.md: AGENTS.md is a link out of the project: what is read is /home/user/.ssh/key`,
      ],
    ]);
  });

  test('as a directory: nothing in it is listed or read', async () => {
    const tree = { ...GIT, '/home/user/.ssh/SYSTEM.md': 'K', [`${P}/.kli`]: { link: '../.ssh' } };
    const world = await machine(tree, OVERRIDE).look();
    expect([listed(world), told(world)]).toEqual([
      [],
      [
        `warning discovery/leads-outside ${P}/.kli: .kli is a link out of the project, to /home/user/.ssh: ${untilTrusted}`,
      ],
    ]);
  });

  test('of the checkout around a submodule, or of a directory that was entered, is none to follow', async () => {
    const link = { link: '/home/user/.ssh/key' };
    const inner = `${P}/sub`;
    const tree = { ...SECRET, [`${P}/.git/HEAD`]: '', [`${inner}/.git`]: 'gitdir: ../.git/modules/sub\n' };
    const submodule = await machine({ ...tree, [`${P}/AGENTS.md`]: link }, ANY_CASE, { cwd: inner }).look();
    const other = '/home/user/other';
    const entered = await machine(
      { ...SECRET, [`${P}/AGENTS.md`]: 'own', [`${other}/AGENTS.md`]: link },
      ANY_CASE,
    ).look({
      stack: [P, other],
    });
    const above = await machine(
      { ...GIT, '/home/user/mine.md': 'M', '/home/AGENTS.md': { link: 'user/mine.md' } },
      ANY_CASE,
      {
        uid: 0,
      },
    ).look();
    expect([submodule, entered, above].map(listed)).toEqual([[], [`${P}/AGENTS.md: own`], ['/home/AGENTS.md: M']]);
  });
});

describe('the first only', () => {
  const both = { ...GIT, [`${P}/.kli/SYSTEM.md`]: 'project', '/home/user/.config/kli/SYSTEM.md': 'mine' };

  test('the project’s is taken and the user’s named as not read', async () => {
    const { look, host } = machine(both, OVERRIDE);
    const world = await look();
    expect([listed(world), reasons(world), host.calls['files.readRegular']]).toEqual([
      [`${P}/.kli/SYSTEM.md: project`],
      [
        `${P}/.kli: SYSTEM.md taken`,
        `/home/user/.config/kli: SYSTEM.md not read: ${P}/.kli/SYSTEM.md was taken before it`,
      ],
      1,
    ]);
  });

  test('one over the cap is passed over for the user’s', async () => {
    const world = await machine(both, { ...OVERRIDE, cap: 4 }).look();
    expect(reasons(world)).toEqual([
      `${P}/.kli: SYSTEM.md is 7 bytes, over the cap of 4: as if absent`,
      '/home/user/.config/kli: SYSTEM.md taken',
    ]);
  });

  test('outside a repository the working directory’s own counts', async () => {
    const bare = { [`${DEEP}/.kli/SYSTEM.md`]: 'here', [`${P}/.kli/SYSTEM.md`]: 'above' };
    expect(listed(await machine(bare, OVERRIDE, { cwd: DEEP }).look())).toEqual([`${DEEP}/.kli/SYSTEM.md: here`]);
  });
});

describe('the stack', () => {
  const tree = { ...GIT, [`${P}/AGENTS.md`]: 'root', [`${DEEP}/AGENTS.md`]: 'deep', '/other/AGENTS.md': 'other' };

  test('adds its directories that the walk has not, bottom first', async () => {
    const world = await machine(tree, ANY_CASE).look({ stack: ['/other', P, DEEP, '/other'] });
    expect([world.files.map((file) => `${file.scope} ${file.path}`), world.stack]).toEqual([
      [`project ${P}/AGENTS.md`, 'extra /other/AGENTS.md', `directory ${DEEP}/AGENTS.md`],
      ['/other', P, DEEP, '/other'],
    ]);
  });

  test('outside the project is as careful about planted files as the walk above it', async () => {
    const open = { ...tree, '/other/AGENTS.md': { content: 'x', mode: 0o666 } };
    const world = await machine(open, ANY_CASE).look({ stack: ['/other', P] });
    expect(world.files.map((file) => file.path)).toEqual([`${P}/AGENTS.md`]);
  });
});

describe('a linked worktree below its main checkout', () => {
  const work = `${P}/.wt/feat`;
  const tree = {
    ...GIT,
    [`${P}/AGENTS.md`]: 'RULE-A',
    [`${P}/.wt/CLAUDE.md`]: 'only outside',
    [`${work}/.git`]: `gitdir: ${P}/.git/worktrees/feat\n`,
    [`${work}/AGENTS.md`]: 'RULE-A',
    [`${work}/sub/x`]: '',
  };

  test.each([
    ['equal', 'RULE-A'],
    ['changed', 'RULE-B'],
  ])(
    'uses its own copy, %s to the outer one or not, and inherits what only the main checkout has',
    async (_name, text) => {
      const world = await machine({ ...tree, [`${work}/AGENTS.md`]: text }, ANY_CASE, { cwd: `${work}/sub` }).look();
      expect([listed(world), told(world), reasons(world).filter((row) => row.startsWith(`${P}:`))]).toEqual([
        [`${P}/.wt/CLAUDE.md: only outside`, `${work}/AGENTS.md: ${text}`],
        [
          `info discovery/worktree-copy ${P}/AGENTS.md: AGENTS.md of the main checkout is not sent: this worktree has its own at the same place`,
        ],
        [`${P}: AGENTS.md of the main checkout left out for the worktree's own ${work}/AGENTS.md`],
      ]);
    },
  );

  test('inherits the outer file where it has none', async () => {
    const { [`${work}/AGENTS.md`]: _own, ...without } = tree;
    expect(listed(await machine(without, ANY_CASE, { cwd: work }).look())).toEqual([
      `${P}/AGENTS.md: RULE-A`,
      `${P}/.wt/CLAUDE.md: only outside`,
    ]);
  });

  test('is known by a relative pointer as well', async () => {
    const relative = { ...tree, [`${work}/.git`]: 'gitdir: ../../.git/worktrees/feat\n' };
    expect(listed(await machine(relative, ANY_CASE, { cwd: work }).look())).toEqual([
      `${P}/.wt/CLAUDE.md: only outside`,
      `${work}/AGENTS.md: RULE-A`,
    ]);
  });

  test('beside its main checkout shares nothing with it', async () => {
    const beside = {
      ...tree,
      '/w/.git': `gitdir: ${P}/.git/worktrees/w`,
      '/w/AGENTS.md': 'RULE-A',
      '/AGENTS.md': 'top',
    };
    const query = { ...ANY_CASE, writableByOthers: 'ignore' } as const;
    expect(listed(await machine(beside, query, { cwd: '/w' }).look())).toEqual([
      '/AGENTS.md: top',
      '/w/AGENTS.md: RULE-A',
    ]);
  });
});
