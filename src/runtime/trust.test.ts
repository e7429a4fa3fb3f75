import { expect, test } from 'vitest';
import { createMemoryHost } from '../host/memory/index.ts';
import { assemble } from './assemble.ts';
import { noteChanges, trustDirectory } from './trust.ts';
import { trustStore } from './trust-store.ts';

const USER = '/home/user/.config/rein/settings.json';
const TRUST = '/home/user/.local/state/rein/trust.json';
const PROJECT = '/p/.rein/settings.json';

function machine(files: Record<string, string>) {
  return createMemoryHost({ files: { '/p/.git/config': '', ...files }, cwd: '/p' });
}

async function modeOf(host: ReturnType<typeof machine>): Promise<string> {
  const { parts } = await assemble({ harness: 'rein' }, host, { sends: false });
  await parts.log.close();
  return parts.permissionMode;
}

function changed(path: string) {
  return { severity: 'warning' as const, code: 'permissions/protected-changed', message: 'm', path };
}

test('what is trusted is in force from then on, and nothing else of that directory', async () => {
  const host = machine({ [PROJECT]: '{ "permission_mode": "accept-edits" }' });
  const before = await modeOf(host);
  const trusted = await trustDirectory({}, host);
  expect(trusted.map(({ path, directory, keys }) => ({ path, directory, keys }))).toEqual([
    { path: PROJECT, directory: '/p', keys: ['permission_mode'] },
  ]);
  const after = await modeOf(host);
  host.files.put(PROJECT, '{ "permission_mode": "yolo" }');
  expect([before, after, await modeOf(host)]).toEqual(['read-only', 'accept-edits', 'read-only']);
});

test('a project whose settings run and widen nothing can be trusted, until they do', async () => {
  const host = machine({ [PROJECT]: '{ "effort": "low" }' });
  const isTrusted = async (trust: boolean): Promise<boolean> => {
    const { parts } = await assemble({ harness: 'kli', trust }, host, { sends: false });
    await parts.log.close();
    return parts.settings('kli').trusted === true;
  };
  const before = [await isTrusted(false), await isTrusted(true)];
  const trusted = await trustDirectory({}, host);
  expect(trusted.map(({ path, directory, keys }) => ({ path, directory, keys }))).toEqual([
    { path: '/p', directory: '/p', keys: [] },
  ]);
  const after = await isTrusted(false);
  host.files.put(PROJECT, '{ "effort": "high" }');
  const harmless = await isTrusted(false);
  host.files.put(PROJECT, '{ "permission_mode": "yolo" }');
  expect([before, after, harmless, await isTrusted(false)]).toEqual([[false, true], true, true, false]);
});

test('settings that cannot be read are not trusted', async () => {
  const host = machine({ [PROJECT]: '{ "permission_mode": "yolo", "max_turns": "many" }' });
  await expect(trustDirectory({}, host)).rejects.toMatchObject({ code: 'trust/broken-settings' });
  expect(await host.files.stat(TRUST)).toBe(null);
});

test('a command that changed the user’s settings changes nothing of the next runs, until someone says yes', async () => {
  const host = machine({ [USER]: '{ "permission_mode": "yolo" }' });
  await noteChanges([changed('/p/.npmrc')], host);
  const before = await modeOf(host);
  await noteChanges([changed(USER)], host);
  const doubted = await modeOf(host);
  await trustDirectory({}, host);
  expect([before, doubted, await modeOf(host)]).toEqual(['yolo', 'read-only', 'yolo']);
});

test('where a command changed the list of trusted directories, none is trusted any more', async () => {
  const host = machine({ [PROJECT]: '{ "permission_mode": "accept-edits" }' });
  await trustDirectory({}, host);
  await trustStore(host).trust('/other', 'hash');
  await noteChanges([changed(TRUST)], host);
  expect([await modeOf(host), await trustStore(host).trusts('/other', 'hash')]).toEqual(['read-only', false]);
});

test('a command that removes what was doubted leaves the doubt', async () => {
  const host = machine({ [USER]: '{ "permission_mode": "yolo" }' });
  await noteChanges([changed(USER)], host);
  await host.files.remove(TRUST);
  await noteChanges([changed(TRUST)], host);
  expect(await modeOf(host)).toBe('read-only');
});
