import { describe, expect, test } from 'vitest';
import { formatDiagnostic } from '../base/index.ts';
import { createMemoryHost } from '../host/memory/index.ts';
import { type ConfigRequest, type LoadedConfig, loadConfig } from './index.ts';

const USER = '/home/user/.config/rein/settings.json';
const PROJECT = '/p/.rein/settings.json';

function load(files: Record<string, string>, given: Partial<ConfigRequest> = {}): Promise<LoadedConfig> {
  const host = createMemoryHost({ files, cwd: '/p' });
  return loadConfig({
    files: host.files,
    env: host.env,
    cwd: '/p',
    projectRoot: '/p',
    configHome: '/home/user/.config',
    overrides: [],
    flags: {},
    ...given,
  });
}

describe('permission rules', () => {
  test('of all sources add up, a project’s own without those that allow', async () => {
    const { settings, rules, diagnostics } = await load(
      {
        [USER]: '{ "permissions": { "allow": ["shell(git *)"],\n "deny": ["read(**/*.pem)"] } }',
        [PROJECT]: '{ "permissions": { "allow": ["shell"], "ask": ["write(docs)"], "deny": ["shell(rm *)"] } }',
      },
      { overrides: ['permissions.allow=["write(a)"]'] },
    );
    expect(settings.permissions).toEqual({
      allow: ['shell(git *)', 'write(a)'],
      ask: ['write(docs)'],
      deny: ['read(**/*.pem)', 'shell(rm *)'],
    });
    expect(rules.map(({ list, text, origin }) => [list, text, origin.from, origin.line])).toEqual([
      ['allow', 'shell(git *)', 'user', 1],
      ['deny', 'read(**/*.pem)', 'user', 2],
      ['ask', 'write(docs)', 'project', 1],
      ['deny', 'shell(rm *)', 'project', 1],
      ['allow', 'write(a)', '-c', undefined],
    ]);
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      `${PROJECT}: warning: ignored, since these settings are not trusted: permissions.allow; read the file, then: rein trust (--trust for one run)`,
    ]);
  });

  test('that are broken are told with their place; one that should forbid something makes its kind ask', async () => {
    const text = `{ "permissions": {
  "allow": ["shel(git *)", "read(~/x)"],
  "deny": ["shell(rm *)",
    "write(../x)", 7],
  "ask": "read"
} }`;
    const { settings, diagnostics } = await load({ [USER]: text });
    expect(settings.permissions).toEqual({
      allow: ['read(~/x)'],
      ask: ['write', 'read', 'shell', 'fetch'],
      deny: ['shell(rm *)'],
    });
    const form = 'a list of rules such as "write(docs/**)"';
    expect(diagnostics.map(formatDiagnostic)).toEqual([
      `${USER}:2:13: error: permissions.allow must be ${form}; "shel(git *)" is none: there are no "shel" rules; did you mean shell?`,
      `${USER}:4:5: error: permissions.deny must be ${form}; "write(../x)" is none: a path pattern cannot hold ".."`,
      `${USER}:4:20: error: permissions.deny must be ${form}`,
      `${USER}:5:10: error: permissions.ask must be ${form}`,
    ]);
  });

  test('given for this run must be rules', async () => {
    await expect(load({}, { overrides: ['permissions.deny=["rm"]'] })).rejects.toMatchObject({
      code: 'config/wrong-type',
      message:
        '-c: permissions.deny must be a list of rules such as "write(docs/**)"; "rm" is none: there are no "rm" rules; a rule is read, write, shell, fetch, with a pattern in parentheses or alone',
    });
  });
});

describe('what a project’s settings run or widen', () => {
  const text = '{ "permission_mode": "yolo", "effort": "high" }';

  test('is in force where exactly that is trusted', async () => {
    const [first] = (await load({ [PROJECT]: text })).unconfirmed;
    const trusts = async (directory: string, hash: string): Promise<boolean> =>
      directory === '/p' && hash === first?.sha256;
    const trust = { trusts, doubts: async () => false };
    const mode = async (file: string): Promise<string | null> =>
      (await load({ [PROJECT]: file }, { trust })).settings.permission_mode;
    expect(first).toEqual({
      path: PROJECT,
      directory: '/p',
      sha256: first?.sha256,
      keys: ['permission_mode'],
      inForce: false,
    });
    expect([
      await mode(text),
      await mode('// a comment\n{ "effort": "low", "permission_mode": "yolo" }'),
      await mode('{ "permission_mode": "accept-edits" }'),
      await mode('{ "permission_mode": "yolo", "max_turns": 3 }'),
    ]).toEqual(['yolo', 'yolo', null, null]);
  });

  test('is in force for this run, and said', async () => {
    const { settings, diagnostics } = await load({ [PROJECT]: text }, { trust: 'this-run' });
    expect([settings.permission_mode, diagnostics.map(formatDiagnostic)]).toEqual([
      'yolo',
      [`${PROJECT}: info: trusted for this run: permission_mode`],
    ]);
  });
});

test('settings of the user that a command changed wait for a person, what is harmless does not', async () => {
  const trust = { trusts: async () => true, doubts: async (path: string) => path === USER };
  const { settings, diagnostics, unconfirmed } = await load(
    { [USER]: '{ "permission_mode": "yolo", "effort": "high" }' },
    { trust },
  );
  expect([settings.permission_mode, settings.effort]).toEqual([null, 'high']);
  expect(diagnostics.map(formatDiagnostic)).toEqual([
    `${USER}: warning: ignored, since a command the agent ran changed this file: permission_mode; read the file, then: rein trust (--trust for one run)`,
  ]);
  expect(unconfirmed.map(({ directory, inForce }) => ({ directory, inForce }))).toEqual([
    { directory: null, inForce: false },
  ]);
});
