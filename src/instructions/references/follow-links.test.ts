import { describe, expect, test } from 'vitest';
import { contextFile } from '../../../test/rig/found-file.ts';
import { type FollowedLinks, followLinks, type LinkContainer } from './follow-links.ts';
import type { ReferenceRules } from './reference-rules.ts';
import { askDisk, type Disk } from './test-disk.ts';

const RULES: ReferenceRules = {
  project: '/repo',
  home: '/home/ada',
  userDirectory: '/home/ada/.config/rein',
  trusted: false,
  cap: 100,
};

function inProject(text: string, path = '/repo/AGENTS.md'): LinkContainer {
  return { text, path, directory: path.slice(0, path.lastIndexOf('/')), scope: 'project' };
}

function typed(text: string): LinkContainer {
  return { text, path: null, directory: '/repo/src', scope: 'prompt' };
}

function userFile(text: string): LinkContainer {
  const directory = RULES.userDirectory;
  return { text, path: `${directory}/AGENTS.md`, directory, scope: 'user' };
}

function follow(containers: readonly LinkContainer[], disk: Disk, rules: Partial<ReferenceRules> = {}): FollowedLinks {
  return askDisk((world) => followLinks(containers, world, { ...RULES, ...rules }), disk).answer;
}

function pathsOf({ links }: FollowedLinks): string[] {
  return links.map(({ realPath }) => realPath);
}

function codesOf({ diagnostics }: FollowedLinks): string[] {
  return diagnostics.map(({ code, path = '-', line = 0, column = 0 }) => `${code} ${path}:${line}:${column}`);
}

describe('what a link means', () => {
  test('a path goes from the file’s directory, else from the project root', () => {
    const text = '@x.md @docs/y.md @/repo/z.md';
    const disk = { '/repo/a/x.md': 'X', '/repo/x.md': 'other', '/repo/docs/y.md': 'Y', '/repo/z.md': 'Z' };
    const followed = follow([inProject(text, '/repo/a/AGENTS.md')], disk);
    expect(pathsOf(followed)).toEqual(['/repo/a/x.md', '/repo/docs/y.md', '/repo/z.md']);
    expect(followed.referrers['/repo/z.md']).toBe('/repo/a/AGENTS.md');
    expect(followed.diagnostics).toEqual([]);
  });

  test('the query asks for that file alone, with its head, and inside the project only', () => {
    const asked = followLinks([inProject('@x.md')], { files: [], searched: [] }, RULES);
    expect(asked).toEqual({
      queries: [
        {
          kind: 'linked-file',
          places: [{ at: 'file', path: '/repo/x.md', scope: 'project' }],
          names: ['x.md'],
          match: 'exact',
          order: 'listed',
          perDirectory: 'first',
          take: 'all',
          dedupe: 'none',
          cap: 100,
          overCap: 'path-only',
          blank: 'present',
          decode: 'sniff',
          writableByOthers: 'ignore',
          followStubs: false,
          within: ['/repo'],
          frontMatter: true,
          refresh: 'request',
        },
      ],
    });
  });

  test('a file too large comes as its path; one without text not at all', () => {
    const followed = follow([inProject('@big.md @blank.md')], {
      '/repo/big.md': 'x'.repeat(101),
      '/repo/blank.md': '\n',
    });
    expect(followed.links.map(({ path, status }) => [path, status])).toEqual([['/repo/big.md', 'path-only']]);
    expect(followed.diagnostics).toEqual([]);
  });

  test('code and other names in a prompt stay what they are; nothing is asked for them', () => {
    const asked = followLinks([typed('@src/a.ts @acme/cli @LICENSE @.md')], { files: [], searched: [] }, RULES);
    expect(asked).toEqual({ links: [], referrers: {}, diagnostics: [] });
  });

  test('a file that is missing is told once, with its place in the file; never of a prompt', () => {
    const text = 'x\n  @gone.md and @gone.md';
    const followed = follow([{ ...inProject(text), line: 5 }, typed('@gone2.md')], {});
    expect(followed.diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'references/missing',
        message: '@gone.md names no file that can be read',
        path: '/repo/AGENTS.md',
        line: 6,
        column: 3,
        data: { reference: 'gone.md' },
      },
    ]);
  });
});

describe('where a link may lead', () => {
  const OUTSIDE: Disk = {
    '/home/ada/me.md': 'ME',
    '/home/ada/.config/rein/own.md': 'OWN',
    '/etc/x.md': 'ETC',
    '/repo/p.md': 'P',
  };

  test('a project’s file leads out of the project only where the project is trusted', () => {
    const text = '- @~/me.md\n- @/etc/x.md\n- @../etc/x.md\n';
    const untrusted = follow([inProject(text)], OUTSIDE);
    expect(pathsOf(untrusted)).toEqual([]);
    expect(untrusted.diagnostics).toEqual([
      {
        severity: 'warning',
        code: 'references/needs-trust',
        message:
          '@~/me.md leads to /home/ada/me.md, outside of what this file may refer to: it is not read. Trust the project (rein trust) to allow it',
        path: '/repo/AGENTS.md',
        line: 1,
        column: 3,
        data: { reference: '~/me.md', target: '/home/ada/me.md' },
      },
      {
        severity: 'warning',
        code: 'references/needs-trust',
        message:
          '@/etc/x.md leads to /etc/x.md, outside of what this file may refer to: it is not read. Trust the project (rein trust) to allow it',
        path: '/repo/AGENTS.md',
        line: 2,
        column: 3,
        data: { reference: '/etc/x.md', target: '/etc/x.md' },
      },
    ]);
    const trusted = follow([inProject(text)], OUTSIDE, { trusted: true });
    expect(pathsOf(trusted)).toEqual(['/home/ada/me.md', '/etc/x.md']);
  });

  test('nothing outside is even asked for', () => {
    const { asked } = askDisk((world) => followLinks([inProject('@~/me.md @../x.md')], world, RULES), OUTSIDE);
    expect(asked).toEqual([]);
  });

  test('a link of the file system out of the project is not followed either, whoever found it', () => {
    const disk = { '/repo/l.md': { text: 'ETC', realPath: '/etc/x.md' } };
    const both = follow([typed('@/repo/l.md'), inProject('@l.md')], disk);
    expect(pathsOf(both)).toEqual(['/etc/x.md']);
    expect(codesOf(both)).toEqual(['references/needs-trust /repo/AGENTS.md:1:1']);
    expect(pathsOf(follow([inProject('@l.md')], disk))).toEqual([]);
  });

  test('a person names any file; a user’s file one at home or in the project', () => {
    expect(pathsOf(follow([typed('@~/me.md @/etc/x.md @p.md')], OUTSIDE))).toEqual([
      '/home/ada/me.md',
      '/etc/x.md',
      '/repo/p.md',
    ]);
    const user = follow([userFile('@~/me.md @own.md @p.md @/etc/x.md')], OUTSIDE);
    expect(pathsOf(user)).toEqual(['/home/ada/me.md', '/home/ada/.config/rein/own.md', '/repo/p.md']);
    expect(codesOf(user)).toEqual(['references/needs-trust /home/ada/.config/rein/AGENTS.md:1:24']);
  });

  test('a project’s file that the user’s file links to leads no further than others of the project', () => {
    const followed = follow([userFile('@p.md')], { ...OUTSIDE, '/repo/p.md': '@~/me.md' });
    expect(pathsOf(followed)).toEqual(['/repo/p.md']);
    expect(codesOf(followed)).toEqual(['references/needs-trust /repo/p.md:1:1']);
  });

  test('a file above the project leads below its own directory', () => {
    const above: LinkContainer = {
      text: '@rules.md @~/me.md',
      path: '/w/AGENTS.md',
      directory: '/w',
      scope: 'ancestor',
    };
    expect(pathsOf(follow([above], { '/w/rules.md': 'R', ...OUTSIDE }))).toEqual(['/w/rules.md']);
  });
});

describe('links of links', () => {
  test('they are followed breadth first, the same file once', () => {
    const disk = { '/repo/p.md': '@z.md @y.md', '/repo/q.md': '@z.md', '/repo/z.md': 'Z', '/repo/y.md': 'Y' };
    const followed = follow([inProject('@p.md @q.md @p.md')], disk);
    expect(pathsOf(followed)).toEqual(['/repo/p.md', '/repo/q.md', '/repo/z.md', '/repo/y.md']);
    expect(followed.referrers['/repo/z.md']).toBe('/repo/p.md');
    expect(followed.diagnostics).toEqual([]);
  });

  test('neither a container nor a file of the chain comes again', () => {
    const chain = contextFile('/repo/a/CLAUDE.md', 'C');
    const containers = [inProject('@b/AGENTS.md @a/CLAUDE.md'), inProject('@AGENTS.md', '/repo/b/AGENTS.md')];
    const disk = { '/repo/b/AGENTS.md': 'B', '/repo/a/CLAUDE.md': 'C', '/repo/AGENTS.md': 'A' };
    const start = { files: [chain], searched: [] };
    const { answer } = askDisk((world) => followLinks(containers, world, RULES), disk, start);
    expect(answer).toEqual({ links: [], referrers: {}, diagnostics: [] });
  });

  test('a circle is told once, where it closes', () => {
    const disk = { '/repo/a.md': 'x\n@b.md', '/repo/b.md': '@a.md @a.md @b.md', '/repo/AGENTS.md': '@a.md' };
    const followed = follow([inProject('@a.md')], disk);
    expect(pathsOf(followed)).toEqual(['/repo/a.md', '/repo/b.md']);
    expect(codesOf(followed)).toEqual(['references/cycle /repo/b.md:1:1', 'references/cycle /repo/b.md:1:13']);
    const back = follow([inProject('@a.md')], { '/repo/a.md': '@AGENTS.md', '/repo/AGENTS.md': '@a.md' });
    expect(codesOf(back)).toEqual(['references/cycle /repo/a.md:1:1']);
  });

  test('the sixth link on a way is told and not followed; a known file behind it is no matter', () => {
    const disk = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`/repo/f${index}.md`, `@f${index + 1}.md @f0.md`]),
    );
    const followed = follow([inProject('@f0.md')], disk);
    expect(pathsOf(followed)).toEqual([0, 1, 2, 3, 4].map((index) => `/repo/f${index}.md`));
    expect(codesOf(followed)).toEqual(['references/too-deep /repo/f4.md:1:1', 'references/cycle /repo/f4.md:1:8']);
  });

  test('more than 64 files, and more than 256 references, are told and not followed', () => {
    const names = Array.from({ length: 70 }, (_, index) => `n${index}.md`);
    const disk = Object.fromEntries(names.map((name) => [`/repo/${name}`, name]));
    const many = follow([inProject(names.map((name) => `@${name}`).join('\n'))], disk);
    expect(many.links.length).toBe(64);
    expect(codesOf(many)).toEqual(['references/too-many /repo/AGENTS.md:65:1']);
    const missing = Array.from({ length: 300 }, (_, index) => `@m${index}.md`).join('\n');
    const { answer, asked } = askDisk((world) => followLinks([typed(missing)], world, RULES), {});
    expect(asked.length).toBe(512);
    expect(answer.diagnostics.map(({ code }) => code)).toEqual(['references/too-many']);
  });
});
