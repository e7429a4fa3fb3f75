import { describe, expect, test } from 'vitest';
import { createMemoryHost, type MemoryTree } from '../host/memory/index.ts';
import type { Effect, Subject } from '../model/index.ts';
import { createPermissions, isPermissionMode, PERMISSION_MODES, type Verdict } from './index.ts';

const TREE: MemoryTree = {
  '/ws/file': 'x',
  '/ws/in/side': 'x',
  '/ws/stays': { link: 'in' },
  '/ws/stays-absolute': { link: '/ws/in' },
  '/ws/out': { link: '/tmp/OUTSIDE' },
  '/ws/out-relative': { link: '../tmp/OUTSIDE/b.txt' },
  '/ws/hop': { link: 'out' },
  '/ws/dangling-out': { link: '/tmp/OUTSIDE/not-yet/x' },
  '/ws/dangling-in': { link: 'in/not-yet' },
  '/ws/loop': { link: 'loop' },
  '/tmp/OUTSIDE/b.txt': 'secret',
  '/ws-other/file': 'x',
  '/state/spill/s1/shell-1.txt': 'x',
  '/link-to-ws': { link: '/ws' },
};

type Asked = { mode?: string; effect?: Effect; cwd?: string; access?: 'read' | 'write' };

const host = createMemoryHost({ files: TREE });
const roots = { home: '/home/u', configHome: '/home/u/.config', stateHome: '/state' };
const permissions = createPermissions({ files: host.files, readRoots: ['/state/spill/s1'], roots, rules: [] });

function judge(
  subjects: readonly Subject[],
  { mode = 'yolo', effect = 'write', cwd = '/ws' }: Asked = {},
): Promise<Verdict> {
  return permissions.judge({ mode, effect, subjects, cwd, grants: [] });
}

async function allows(path: string, asked: Asked = {}): Promise<boolean> {
  const subject = { type: 'path', path, access: asked.access ?? 'write' } as const;
  return (await judge([subject], asked)).verdict === 'allow';
}

async function table(paths: readonly string[], asked: Asked = {}): Promise<Record<string, boolean>> {
  const rows = await Promise.all(paths.map(async (path) => [path, await allows(path, asked)] as const));
  return Object.fromEntries(rows);
}

describe('a path', () => {
  test('may be touched inside the working directory only, whatever its name looks like', async () => {
    expect(await table(['/ws', '/ws/file', '/ws/new', '/ws/new/deep/er', '/ws/../ws/file', '/ws/./file'])).toEqual({
      '/ws': true,
      '/ws/file': true,
      '/ws/new': true,
      '/ws/new/deep/er': true,
      '/ws/../ws/file': true,
      '/ws/./file': true,
    });
    expect(await table(['/', '/ws-other/file', '/ws/../ws-other/file', '/tmp/OUTSIDE/b.txt', '/etc/passwd'])).toEqual({
      '/': false,
      '/ws-other/file': false,
      '/ws/../ws-other/file': false,
      '/tmp/OUTSIDE/b.txt': false,
      '/etc/passwd': false,
    });
  });

  test('is judged by where its links lead, for what exists and for what does not yet (C112)', async () => {
    expect(
      await table([
        '/ws/stays/side',
        '/ws/stays/new',
        '/ws/stays-absolute/side',
        '/ws/dangling-in',
        '/ws/out',
        '/ws/out/a.txt',
        '/ws/out/b.txt',
        '/ws/out/new/deep',
        '/ws/out-relative',
        '/ws/hop/b.txt',
        '/ws/dangling-out',
        '/ws/dangling-out/more',
        '/ws/loop',
        '/ws/loop/x',
      ]),
    ).toEqual({
      '/ws/stays/side': true,
      '/ws/stays/new': true,
      '/ws/stays-absolute/side': true,
      '/ws/dangling-in': true,
      '/ws/out': false,
      '/ws/out/a.txt': false,
      '/ws/out/b.txt': false,
      '/ws/out/new/deep': false,
      '/ws/out-relative': false,
      '/ws/hop/b.txt': false,
      '/ws/dangling-out': false,
      '/ws/dangling-out/more': false,
      '/ws/loop': false,
      '/ws/loop/x': false,
    });
  });

  test('outside is refused for reading too, in both modes', async () => {
    const read = { effect: 'read', access: 'read' } as const;
    expect([
      await allows('/ws/out/b.txt', read),
      await allows('/ws/out/b.txt', { ...read, mode: 'read-only' }),
      await allows('/tmp/OUTSIDE/b.txt', { ...read, mode: 'read-only' }),
      await allows('/ws/stays/side', { ...read, mode: 'read-only' }),
    ]).toEqual([false, false, false, true]);
  });

  test('is inside also where the working directory was reached by a link', async () => {
    expect(await allows('/link-to-ws/file', { cwd: '/link-to-ws' })).toBe(true);
    expect(await allows('/link-to-ws/out/a.txt', { cwd: '/link-to-ws' })).toBe(false);
  });

  test('of a large result of this session may be read and not written', async () => {
    const path = '/state/spill/s1/shell-1.txt';
    expect([
      await allows(path, { effect: 'read', access: 'read', mode: 'read-only' }),
      await allows(path, { access: 'write' }),
      await allows('/state/spill/s2/shell-1.txt', { effect: 'read', access: 'read' }),
    ]).toEqual([true, false, false]);
  });

  test('that cannot be followed is refused', async () => {
    const closed = createMemoryHost({ files: TREE });
    closed.faults.refuse['/ws/in'] = 'EACCES';
    const { judge: judgeClosed } = createPermissions({ files: closed.files, readRoots: [], roots, rules: [] });
    const subjects = [{ type: 'path', path: '/ws/in/side', access: 'read' }] as const;
    expect(await judgeClosed({ mode: 'yolo', effect: 'read', subjects, cwd: '/ws', grants: [] })).toEqual({
      verdict: 'deny',
      why: 'It cannot be told where /ws/in/side leads, so it is not allowed.',
    });
  });

  test('is refused with where it leads', async () => {
    expect(await judge([{ type: 'path', path: '/ws/out/a.txt', access: 'write' }])).toEqual({
      verdict: 'deny',
      why: '/ws/out/a.txt (it leads to /tmp/OUTSIDE/a.txt) is outside the working directory /ws, where no file may be touched. The user can allow it with the rule write(/tmp/OUTSIDE/a.txt).',
    });
  });
});

describe('a mode', () => {
  const command = [{ type: 'command', command: 'ls' }] as const;
  const web = [{ type: 'host', host: 'x.test' }] as const;

  test('yolo allows commands, hosts and changes', async () => {
    const places = ['/state/spill/s1'];
    expect([
      await judge(command, { effect: 'execute' }),
      await judge(web, { effect: 'network' }),
      await judge([]),
    ]).toEqual([
      { verdict: 'allow', places: null },
      { verdict: 'allow', places },
      { verdict: 'allow', places },
    ]);
  });

  test('read-only refuses whatever is more than reading, and names the option', async () => {
    const mode = 'read-only';
    expect(await judge(command, { mode, effect: 'execute' })).toEqual({
      verdict: 'deny',
      why: 'This session is read-only: running commands is not allowed. The user can allow it with --permission-mode yolo.',
    });
    const verdicts = [
      await judge([{ type: 'path', path: '/ws/file', access: 'write' }], { mode, effect: 'write' }),
      await judge(web, { mode, effect: 'network' }),
      await judge(command, { mode, effect: 'none' }),
      await judge([{ type: 'path', path: '/ws/file', access: 'write' }], { mode, effect: 'read' }),
      await judge([], { mode, effect: 'none' }),
      await judge([{ type: 'path', path: '/ws/file', access: 'read' }], { mode, effect: 'read' }),
    ];
    expect(verdicts.map(({ verdict }) => verdict)).toEqual(['deny', 'deny', 'deny', 'deny', 'allow', 'allow']);
  });

  test('that is none allows nothing', async () => {
    expect(await judge([], { mode: 'constructor', effect: 'none' })).toEqual({
      verdict: 'deny',
      why: 'There is no permission mode constructor.',
    });
  });

  test('ask reads inside without asking, and asks for everything else; accept-edits for changes inside not', async () => {
    const asked = async (subject: Subject, effect: Effect): Promise<string[]> => [
      (await judge([subject], { mode: 'ask', effect })).verdict,
      (await judge([subject], { mode: 'accept-edits', effect })).verdict,
    ];
    expect({
      readInside: await asked({ type: 'path', path: '/ws/file', access: 'read' }, 'read'),
      readOutside: await asked({ type: 'path', path: '/tmp/OUTSIDE/b.txt', access: 'read' }, 'read'),
      readByLink: await asked({ type: 'path', path: '/ws/out/b.txt', access: 'read' }, 'read'),
      writeInside: await asked({ type: 'path', path: '/ws/new', access: 'write' }, 'write'),
      writeOutside: await asked({ type: 'path', path: '/tmp/new', access: 'write' }, 'write'),
      command: await asked({ type: 'command', command: 'ls' }, 'execute'),
      host: await asked({ type: 'host', host: 'x.test' }, 'network'),
    }).toEqual({
      readInside: ['allow', 'allow'],
      readOutside: ['ask', 'ask'],
      readByLink: ['ask', 'ask'],
      writeInside: ['ask', 'allow'],
      writeOutside: ['ask', 'ask'],
      command: ['ask', 'ask'],
      host: ['ask', 'ask'],
    });
  });

  test('asks with the rule that would allow just this, and with how it is allowed beforehand', async () => {
    expect(await judge([{ type: 'path', path: '/ws/in/*x', access: 'write' }], { mode: 'ask' })).toEqual({
      verdict: 'ask',
      why: 'Changing /ws/in/*x needs the user’s approval.',
      rules: ['write(/ws/in/\\*x)'],
      beforehand: `To allow it beforehand: --permission-mode accept-edits, or -c 'permissions.allow=["write(/ws/in/\\\\*x)"]'.`,
      places: ['/state/spill/s1', '/ws/in/*x'],
    });
  });

  test('says what it is about on one line, whatever names there are, and offers no rule that reads otherwise', async () => {
    const path = '/ws/a\nrein: all is well\u001b[8m\u202e.js';
    expect(await judge([{ type: 'path', path, access: 'write' }], { mode: 'ask' })).toEqual({
      verdict: 'ask',
      why: 'Changing /ws/a\\u000arein: all is well\\u001b[8m\\u202e.js needs the user’s approval.',
      rules: [],
      beforehand: 'To allow it beforehand: --permission-mode accept-edits.',
      places: ['/state/spill/s1', path],
    });
  });

  test('is one of four words', () => {
    expect(PERMISSION_MODES).toEqual(['ask', 'read-only', 'accept-edits', 'yolo']);
    expect(['ask', 'yolo', 'YOLO', ''].map(isPermissionMode)).toEqual([true, true, false, false]);
  });
});
