import { describe, expect, test } from 'vitest';
import { ANY_CASE, EXACT, listed, machine, OVERRIDE, told } from './test-machine.ts';

const P = '/home/user/project';
const GIT = { [`${P}/.git`]: { directory: true } } as const;

describe('a configuration directory nearer than the project’s', () => {
  const tree = { ...GIT, [`${P}/.kli/SYSTEM.md`]: 'root', [`${P}/a/.kli/SYSTEM.md`]: 'nearer', [`${P}/a/b/x`]: '' };

  test('is named and not read', async () => {
    const world = await machine(tree, OVERRIDE, { cwd: `${P}/a/b` }).look();
    expect([listed(world), told(world)]).toEqual([
      [`${P}/.kli/SYSTEM.md: root`],
      [
        `info discovery/nearer-directory ${P}/a/.kli/SYSTEM.md: SYSTEM.md is not read here: only ${P}/.kli counts for this project`,
      ],
    ]);
  });

  test('is not asked about where the query does not want it', async () => {
    const query = {
      ...OVERRIDE,
      places: [{ at: 'project', inside: '.kli', scope: 'project', reportNearer: false } as const],
    };
    expect(told(await machine(tree, query, { cwd: `${P}/a/b` }).look())).toEqual([]);
  });
});

describe('a misspelt configuration directory', () => {
  test.each(['.Kli', 'kli', '.klii', '.cli'])('%s that holds one of the names is hinted at', async (name) => {
    const world = await machine({ ...GIT, [`${P}/${name}/SYSTEM.md`]: 'x' }, OVERRIDE).look();
    expect([listed(world), told(world)]).toEqual([
      [],
      [
        `info discovery/near-directory ${P}/${name}/SYSTEM.md: SYSTEM.md is not read: the directory is called ${name}; did you mean .kli?`,
      ],
    ]);
  });

  test('that holds none of them, or is no directory, is not', async () => {
    const tree = { ...GIT, [`${P}/kli/README.md`]: 'x', [`${P}/.cli`]: 'file', [`${P}/.git/SYSTEM.md`]: 'x' };
    expect(told(await machine(tree, OVERRIDE).look())).toEqual([]);
  });

  test('is not looked for beside one that was read', async () => {
    const tree = { ...GIT, [`${P}/kli/SYSTEM.md`]: 'x', [`${P}/.kli/SYSTEM.md`]: 'y' };
    const { look, host } = machine(tree, OVERRIDE);
    expect([told(await look()), host.calls['files.list']]).toEqual([[], undefined]);
  });
});

describe('the checkout around a repository', () => {
  const submodule = {
    '/super/.git': { directory: true },
    '/super/AGENTS.md': 'FAMILY-1',
    '/super/sub/.git': 'gitdir: ../.git/modules/sub\n',
    '/super/sub/AGENTS.md': 'SUB-1',
  } as const;

  test('is named where the walk ends at a submodule', async () => {
    const world = await machine(submodule, EXACT, { cwd: '/super/sub' }).look();
    expect([listed(world), told(world)]).toEqual([
      ['/super/sub/AGENTS.md: SUB-1'],
      [
        'info discovery/outside-repository /super/AGENTS.md: AGENTS.md was found but not sent: it belongs to the ' +
          'repository around this submodule (started in /super it is sent), and the search ends at /super/sub',
      ],
    ]);
  });

  test('is sent, outermost first, where the walk goes on', async () => {
    const world = await machine(submodule, { ...ANY_CASE, writableByOthers: 'ignore' }, { cwd: '/super/sub' }).look();
    expect([listed(world), told(world)]).toEqual([['/super/AGENTS.md: FAMILY-1', '/super/sub/AGENTS.md: SUB-1'], []]);
  });

  test('is named where the walk ends at a linked worktree', async () => {
    const tree = {
      ...GIT,
      [`${P}/AGENTS.md`]: 'RULE-A',
      [`${P}/.wt/feat/.git`]: `gitdir: ${P}/.git/worktrees/feat\n`,
      [`${P}/.wt/feat/AGENTS.md`]: 'RULE-A',
      '/home/user/AGENTS.md': 'not of the checkout',
    };
    const world = await machine(tree, EXACT, { cwd: `${P}/.wt/feat` }).look();
    expect([listed(world), told(world)]).toEqual([
      [`${P}/.wt/feat/AGENTS.md: RULE-A`],
      [
        `info discovery/outside-repository ${P}/AGENTS.md: AGENTS.md was found but not sent: it belongs to the main ` +
          `checkout around this worktree, and the search ends at ${P}/.wt/feat`,
      ],
    ]);
  });

  test.each([
    ['is not a pointer', 'hello'],
    ['points at nothing', 'gitdir: /nowhere/.git/worktrees/x'],
    ['points elsewhere', 'gitdir: /super/.git/other/x'],
    ['is larger than any pointer', `gitdir: /super/.git/modules/${'x'.repeat(9000)}`],
    ['is not text', Uint8Array.of(0xff, 0xfe, 0)],
  ])('is not guessed where the .git file %s', async (_name, content) => {
    const world = await machine({ ...submodule, '/super/sub/.git': content }, EXACT, { cwd: '/super/sub' }).look();
    expect([listed(world), told(world)]).toEqual([['/super/sub/AGENTS.md: SUB-1'], []]);
  });
});
