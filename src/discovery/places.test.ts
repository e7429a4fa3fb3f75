import { describe, expect, test } from 'vitest';
import type { MemoryEntry, MemoryHost } from '../host/memory/index.ts';
import type { Place, SourceQuery } from '../model/index.ts';
import { ANY_CASE, EXACT, HOME, listed, machine, OVERRIDE, reasons, told } from './test-machine.ts';

const P = '/home/user/project';
const GIT = { [`${P}/.git`]: { directory: true } } as const;
const SKILLS = `${P}/.rein/skills`;

const SKILL: SourceQuery = {
  ...OVERRIDE,
  kind: 'skill',
  places: [
    { at: 'project', inside: '.rein/skills', scope: 'project', reportNearer: false, each: true },
    { at: 'directory', path: `${HOME}/.config/rein/skills`, scope: 'user', each: true },
  ],
  names: ['SKILL.md'],
  take: 'all',
  blank: 'present',
};

const FACET: SourceQuery = {
  ...SKILL,
  kind: 'facet',
  places: [{ at: 'project', inside: '.rein/facets', scope: 'project', reportNearer: false }],
  names: ['.md', '.markdown'],
  match: 'suffix',
  perDirectory: 'all',
};

const only = (place: Place, rest: Partial<SourceQuery> = {}): SourceQuery => ({
  ...OVERRIDE,
  places: [place],
  ...rest,
});

function numbered(count: number, path: (number: string) => string): Record<string, MemoryEntry> {
  const all = Array.from({ length: count }, (_, index) => path(String(index).padStart(4, '0')));
  return Object.fromEntries(all.map((each) => [each, 'x']));
}

describe('a single file', () => {
  const notes = only({ at: 'file', path: `${P}/notes.txt`, scope: 'extra' }, { names: [] });

  test('is found by its path, whatever names the query has', async () => {
    const { look } = machine(
      { ...GIT, [`${P}/notes.txt`]: 'n', [`${P}/SYSTEM.md`]: 's' },
      { ...notes, names: ['SYSTEM.md'] },
    );
    const world = await look();
    expect([listed(world), world.searched, told(world)]).toEqual([
      [`${P}/notes.txt: n`],
      [
        {
          kind: 'system-override',
          directory: P,
          scope: 'extra',
          looked: ['notes.txt'],
          took: 'notes.txt',
          why: 'notes.txt taken',
        },
      ],
      [],
    ]);
  });

  test('is missed quietly, with any near miss beside it', async () => {
    const world = await machine({ ...GIT, [`${P}/NOTES.txt`]: 'n' }, { ...notes, match: 'any-case' }).look();
    expect([listed(world), reasons(world), told(world)]).toEqual([[], [`${P}: no notes.txt here`], []]);
  });
});

describe('each directory of one', () => {
  test('is searched by name, and one row tells of all', async () => {
    const tree = {
      ...GIT,
      [`${SKILLS}/b/SKILL.md`]: 'B',
      [`${SKILLS}/a/SKILL.md`]: 'A',
      [`${SKILLS}/a/deeper/SKILL.md`]: 'no',
      [`${SKILLS}/empty`]: { directory: true },
      [`${SKILLS}/SKILL.md`]: 'not in a directory',
      [`${SKILLS}/linked`]: { link: '/elsewhere' },
      [`${SKILLS}/nothing`]: { link: '/nowhere' },
      '/elsewhere/SKILL.md': 'L',
    } as const;
    const world = await machine(tree, SKILL, { trusted: true }).look();
    expect([world.files.map(({ directory, name, text }) => [directory, name, text]), world.searched]).toEqual([
      [
        [`${SKILLS}/a`, 'SKILL.md', 'A'],
        [`${SKILLS}/b`, 'SKILL.md', 'B'],
        [`${SKILLS}/linked`, 'SKILL.md', 'L'],
      ],
      [
        {
          kind: 'skill',
          directory: SKILLS,
          scope: 'project',
          looked: ['SKILL.md'],
          took: 'a/SKILL.md, b/SKILL.md, linked/SKILL.md',
          why: 'a/SKILL.md taken; b/SKILL.md taken; linked/SKILL.md taken',
        },
        {
          kind: 'skill',
          directory: `${HOME}/.config/rein/skills`,
          scope: 'user',
          looked: ['SKILL.md'],
          took: null,
          why: 'no SKILL.md in a directory here',
        },
      ],
    ]);
  });

  test('tells of a misspelt file in it', async () => {
    const world = await machine({ ...GIT, [`${SKILLS}/a/skill.md`]: 'A' }, SKILL).look();
    expect([listed(world), told(world), reasons(world)[0]]).toEqual([
      [],
      [`info discovery/near-miss ${SKILLS}/a/skill.md: skill.md is not read: the name must be spelled SKILL.md`],
      `${SKILLS}: a/skill.md is not read: the name must be spelled SKILL.md`,
    ]);
  });

  test('more than 512 are not searched, and the row stays short', async () => {
    const world = await machine(
      { ...GIT, ...numbered(600, (number) => `${SKILLS}/s${number}/SKILL.md`) },
      SKILL,
    ).look();
    expect([world.files.length, told(world), reasons(world)[0]?.split('; ').slice(-2)]).toEqual([
      512,
      [`warning discovery/too-many ${SKILLS}: holds 600 directories: only the first 512 by name are looked at`],
      ['s0007/SKILL.md taken', 'and 504 more'],
    ]);
  });

  test('closer to the working directory is named, not read', async () => {
    const place = { at: 'project', inside: '.rein/skills', scope: 'project', reportNearer: true, each: true } as const;
    const tree = { ...GIT, [`${P}/a/.rein/skills/x/SKILL.md`]: 'x' };
    const world = await machine(tree, { ...SKILL, places: [place] }, { cwd: `${P}/a` }).look();
    expect([listed(world), told(world)]).toEqual([
      [],
      [
        `info discovery/nearer-directory ${P}/a/.rein/skills: .rein/skills is not read here: only ${SKILLS} counts for this project`,
      ],
    ]);
  });

  test('ends with the first file where one is enough', async () => {
    const tree = { ...GIT, [`${SKILLS}/a/SKILL.md`]: 'A', [`${SKILLS}/b/SKILL.md`]: 'B' };
    expect(listed(await machine(tree, { ...SKILL, take: 'first' }).look())).toEqual([`${SKILLS}/a/SKILL.md: A`]);
  });
});

describe('files by their ending', () => {
  test('are listed by code point, without hidden ones', async () => {
    const at = `${P}/.rein/facets`;
    const tree = {
      ...GIT,
      [`${at}/plan.md`]: 'p',
      [`${at}/Zeta.markdown`]: 'z',
      [`${at}/.hidden.md`]: 'h',
      [`${at}/.md`]: 'h',
      [`${at}/notes.txt`]: 'n',
      [`${at}/LOUD.MD`]: 'l',
      [`${at}/directory.md/x.md`]: 'd',
      [`${at}/gone.md`]: { link: '/nowhere' },
    } as const;
    const world = await machine(tree, FACET).look();
    expect([listed(world), told(world)]).toEqual([
      [`${at}/Zeta.markdown: z`, `${at}/plan.md: p`],
      [`warning discovery/dangling-link ${at}/gone.md: gone.md is a link to nothing: as if absent`],
    ]);
  });

  test('are a bounded number, and one row says where none is', async () => {
    const at = `${P}/.rein/facets`;
    const many = await machine({ ...GIT, ...numbered(513, (number) => `${at}/${number}.md`) }, FACET).look();
    expect([many.files.length, told(many)]).toEqual([
      512,
      [`warning discovery/too-many ${at}: holds 513 files: only the first 512 by name are looked at`],
    ]);
    expect(reasons(await machine(GIT, FACET).look())).toEqual([`${at}: no file that ends in .md, .markdown here`]);
  });
});

describe('from where the session started', () => {
  const Q = '/home/user/other';
  const tree = {
    ...GIT,
    [`${P}/AGENTS.md`]: 'root',
    [`${P}/a/AGENTS.md`]: 'start',
    [`${P}/a/b/AGENTS.md`]: 'below',
    [`${P}/.kli/SYSTEM.md`]: 'system',
    [`${Q}/.git`]: { directory: true },
    [`${Q}/AGENTS.md`]: 'other',
    [`${Q}/.kli/SYSTEM.md`]: 'other system',
  } as const;
  const chain: SourceQuery = {
    ...ANY_CASE,
    writableByOthers: 'ignore',
    places: [{ at: 'walk', to: 'file-system', from: 'session-start' }, { at: 'stack' }],
  };
  const system = only({ at: 'project', inside: '.kli', scope: 'project', reportNearer: true, from: 'session-start' });

  test('the walk and the project stay where they were, and entered directories follow bottom first', async () => {
    const { look } = machine(tree, chain, { cwd: Q });
    const world = await look({ queries: [chain, system], stack: [`${P}/a`, `${P}/a/b`, Q] });
    expect([world.projectRoot, world.git, world.cwd, world.files.map(({ scope, text }) => `${scope} ${text}`)]).toEqual(
      [
        P,
        { root: P, kind: 'directory' },
        Q,
        ['project root', 'directory start', 'directory below', 'extra other', 'project system'],
      ],
    );
  });

  test('a query that does not ask for it goes by the working directory', async () => {
    const { look } = machine(tree, chain, { cwd: Q });
    const plain = { ...EXACT, places: [{ at: 'walk', to: 'repository' } as const] };
    const stack = [`${P}/a`, Q];
    expect([
      listed(await look({ queries: [plain, system], stack })),
      (await look({ queries: [plain], stack })).projectRoot,
    ]).toEqual([[`${Q}/AGENTS.md: other`, `${P}/.kli/SYSTEM.md: system`], Q]);
  });

  test('is the working directory where nothing was entered', async () => {
    const { look } = machine(tree, chain, { cwd: `${P}/a` });
    const worlds = [await look({ stack: [] }), await look({ stack: [`${P}/a`] })];
    expect(worlds.map((world) => world.files.map(({ text }) => text))).toEqual([
      ['root', 'start'],
      ['root', 'start'],
    ]);
  });

  test('one file behind two directories of the stack is listed once', async () => {
    const linked = { ...tree, '/copy/AGENTS.md': { link: `${Q}/AGENTS.md` } } as const;
    const { look } = machine(linked, chain, { cwd: '/copy' });
    const world = await look({ stack: [`${P}/a`, Q, '/copy'] });
    expect(listed(world)).toEqual([`${P}/AGENTS.md: root`, `${P}/a/AGENTS.md: start`, `${Q}/AGENTS.md: other`]);
  });
});

describe('where no links are followed', () => {
  const straight = { ...SKILL, links: 'skip' as const };

  test('a linked file and a linked directory are as if absent, and told', async () => {
    const tree = {
      ...GIT,
      [`${SKILLS}/own/SKILL.md`]: 'own',
      [`${SKILLS}/file/SKILL.md`]: { link: '/elsewhere/SKILL.md' },
      [`${SKILLS}/whole`]: { link: '/elsewhere' },
      '/elsewhere/SKILL.md': 'L',
    } as const;
    const world = await machine(tree, straight).look();
    expect([listed(world), told(world)]).toEqual([
      [`${SKILLS}/own/SKILL.md: own`],
      [
        `warning discovery/link-skipped ${SKILLS}/whole: whole is a link to /elsewhere: links are not followed here, as if absent`,
        `warning discovery/link-skipped ${SKILLS}/file/SKILL.md: SKILL.md is behind a link, to /elsewhere/SKILL.md: links are not followed here, as if absent`,
      ],
    ]);
    expect(world.diagnostics.map(({ data }) => data)).toEqual([
      { realPath: '/elsewhere' },
      { realPath: '/elsewhere/SKILL.md' },
    ]);
  });

  test('neither is what the configuration directory links to, told once', async () => {
    const tree = { ...GIT, [`${P}/.rein`]: { link: '/elsewhere' }, '/elsewhere/skills/a/SKILL.md': 'A' } as const;
    const facets = { ...FACET, links: 'skip' as const };
    const linked = { ...tree, '/elsewhere/facets/x.md': 'X', '/elsewhere/facets/y.md': 'Y' };
    const { look } = machine(linked, straight);
    const world = await look({ queries: [straight, facets] });
    const why = 'links are not followed here, as if absent';
    expect([listed(world), told(world)]).toEqual([
      [],
      [
        `warning discovery/link-skipped ${SKILLS}: a link leads to /elsewhere/skills: ${why}`,
        `warning discovery/link-skipped ${P}/.rein/facets: a link leads to /elsewhere/facets: ${why}`,
      ],
    ]);
  });

  test('a directory that is itself named may be a link', async () => {
    const place = { at: 'directory', path: `${HOME}/.config/rein/skills`, scope: 'user', each: true } as const;
    const tree = { [place.path]: { link: '/dotfiles' }, '/dotfiles/a/SKILL.md': 'A' } as const;
    expect(listed(await machine(tree, { ...straight, places: [place] }).look())).toEqual([
      `${place.path}/a/SKILL.md: A`,
    ]);
  });

  test('a file that becomes a link to itself is seen to', async () => {
    const { look, host } = machine({ ...GIT, [`${SKILLS}/a/SKILL.md`]: 'A', '/real.md': 'A' }, straight);
    const before = listed(await look());
    host.files.put(`${SKILLS}/a/SKILL.md`, { link: '/real.md' });
    expect([before, listed(await look())]).toEqual([[`${SKILLS}/a/SKILL.md: A`], []]);
  });
});

describe('where a file must lie within', () => {
  const inside = { ...SKILL, within: [P] };

  test('what is really elsewhere is not read, and told', async () => {
    const tree = {
      ...GIT,
      [`${SKILLS}/in/SKILL.md`]: { link: `${P}/shared.md` },
      [`${P}/shared.md`]: 'in',
      [`${SKILLS}/out/SKILL.md`]: { link: '/etc/secret' },
      [`${SKILLS}/beside`]: { link: `${P}-beside` },
      [`${P}-beside/SKILL.md`]: 'beside',
      '/etc/secret': 'secret',
    } as const;
    const { look, host } = machine(tree, inside, { trusted: true });
    const world = await look();
    expect([listed(world), told(world)]).toEqual([
      [`${SKILLS}/in/SKILL.md: in`],
      [
        `warning discovery/outside ${SKILLS}/beside/SKILL.md: SKILL.md is really ${P}-beside/SKILL.md, outside of where it may lie: not read`,
        `warning discovery/outside ${SKILLS}/out/SKILL.md: SKILL.md is really /etc/secret, outside of where it may lie: not read`,
      ],
    ]);
    expect(host.calls['files.readRegular']).toBe(1);
  });

  test('not even the path of a large one is given', async () => {
    const query = { ...inside, cap: 3, overCap: 'path-only' as const };
    const tree = { ...GIT, [`${SKILLS}/out/SKILL.md`]: { link: '/large' }, '/large': 'large' } as const;
    expect(listed(await machine(tree, query).look())).toEqual([]);
  });
});

describe('front matter', () => {
  const asked = { ...SKILL, frontMatter: true as const };

  test('comes with the file that has it, where it is asked for', async () => {
    const tree = { ...GIT, [`${SKILLS}/a/SKILL.md`]: '---\nname: a\n---\nA', [`${SKILLS}/b/SKILL.md`]: 'B' };
    const { look } = machine(tree, asked);
    const world = await look({ queries: [asked, SKILL] });
    expect(world.files.map((file) => ('frontMatter' in file ? file.frontMatter : 'not asked for'))).toEqual([
      { read: 'yaml', data: { name: 'a' }, bodyStart: 16, bodyLine: 4, lines: { name: 2 }, faults: [] },
      null,
      'not asked for',
      'not asked for',
    ]);
  });

  test('is not read again while the file is the same, though another one changes', async () => {
    const tree = { ...GIT, [`${SKILLS}/a/SKILL.md`]: '---\nname: a\n---\nA', [`${SKILLS}/b/SKILL.md`]: 'B' };
    const { look, host } = machine(tree, asked);
    const [before] = (await look()).files;
    host.files.put(`${SKILLS}/b/SKILL.md`, '---\nname: b\n---\nB');
    const [after, other] = (await look()).files;
    expect(after?.frontMatter).toBe(before?.frontMatter);
    expect(other?.frontMatter?.data).toEqual({ name: 'b' });
  });
});

describe('cost', () => {
  function takeStats(host: MemoryHost): number {
    const stats = host.calls['files.stat'] ?? 0;
    host.calls['files.stat'] = 0;
    return stats;
  }

  test('a directory that is not there is one stat, at the first look and at later ones', async () => {
    const extra = [SKILL, FACET].map((query): SourceQuery => ({ ...query, places: query.places.slice(0, 1) }));
    const costs: number[][] = [];
    for (const queries of [[EXACT], [EXACT, ...extra]]) {
      const { look, host } = machine({ ...GIT, [`${P}/AGENTS.md`]: 'x' }, EXACT);
      const stats: number[] = [];
      for (const _look of [1, 2]) {
        await look({ queries });
        stats.push(takeStats(host));
      }
      costs.push(stats);
    }
    const [without = [], all = []] = costs;
    expect(all.map((stats, index) => stats - (without[index] ?? 0))).toEqual([extra.length, extra.length]);
  });

  test('a second look at 100 skills lists and reads nothing', async () => {
    const tree = { ...GIT, ...numbered(100, (number) => `${SKILLS}/${number}/SKILL.md`) };
    const { look, host } = machine(tree, { ...SKILL, links: 'skip', within: [P], frontMatter: true });
    await look();
    const { 'files.list': lists, 'files.readRegular': reads } = { ...host.calls };
    await look();
    expect([host.calls['files.list'], host.calls['files.readRegular']]).toEqual([lists, reads]);
  });
});
