import { expect, test } from 'vitest';
import { ProtectedFiles } from './protected-files.ts';
import { machine } from './test-permissions.ts';

const ROOTS = { home: '/home/u', configHome: '/home/u/.config', stateHome: '/home/u/.local/state' };

function watching(tree: Parameters<typeof machine>[0] = {}): {
  host: ReturnType<typeof machine>;
  files: ProtectedFiles;
} {
  const host = machine({
    '/ws/.npmrc': 'old',
    '/ws/.rein/skills/a/SKILL.md': 'a',
    '/home/u/.config/rein/settings.json': '{}',
    ...tree,
  });
  return { host, files: new ProtectedFiles({ files: host.files, roots: ROOTS, directories: ['/ws'] }) };
}

test('what was created, changed and removed is told, by content', async () => {
  const { host, files } = watching();
  const since = await files.watch();
  await host.clock.sleep(1000);
  host.files.put('/ws/.npmrc', 'new');
  host.files.put('/ws/.git/hooks/pre-commit', '#!/bin/sh');
  host.files.put('/home/u/.bashrc', '');
  await host.files.remove('/ws/.rein/skills/a/SKILL.md');
  host.files.put('/ws/src/a.js', 'changed, and of no interest');
  expect((await since()).map(({ path, data }) => `${path} ${data?.how}`)).toEqual([
    '/ws/.git/hooks/pre-commit created',
    '/ws/.npmrc changed',
    '/ws/.rein/skills/a/SKILL.md removed',
  ]);
  expect(await (await files.watch())()).toEqual([]);
});

test('a change says what it is and that nothing becomes of it now', async () => {
  const { host, files } = watching();
  const since = await files.watch();
  await host.clock.sleep(1000);
  host.files.put('/home/u/.config/rein/settings.json', '{"permission_mode":"yolo"}');
  expect(await since()).toEqual([
    {
      severity: 'warning',
      code: 'permissions/protected-changed',
      message:
        'settings.json, the agent’s own configuration, was changed while a command ran; this session keeps the rules it began with',
      path: '/home/u/.config/rein/settings.json',
      data: { how: 'changed' },
    },
  ]);
});

test('what a command left running changed later is told with the next look, and once', async () => {
  const { host, files } = watching();
  expect(await files.since()).toEqual([]);
  await (await files.watch())();
  await host.clock.sleep(1000);
  host.files.put('/ws/.git/hooks/pre-commit', '#!/bin/sh');
  host.files.put('/ws/.npmrc', 'by a tool that was allowed to');
  await files.accept(['/ws/.npmrc', '/ws/src/a.js']);
  expect((await files.since()).map(({ path, message }) => [path, message])).toEqual([
    [
      '/ws/.git/hooks/pre-commit',
      'pre-commit, git’s own files, hooks included, was created after a command had run; this session keeps the rules it began with',
    ],
  ]);
  expect(await files.since()).toEqual([]);
});

test('a folder that is full does not hide the others', async () => {
  const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`/ws/.rein/prompts/${index}.md`, 'x']));
  const { host, files } = watching({ ...many, '/home/u/.config/rein/prompts/a.md': '' });
  const since = await files.watch();
  host.files.put('/ws/.git/hooks/pre-commit', '#!/bin/sh');
  host.files.put('/home/u/.config/kli/AGENTS.md', 'x');
  expect((await since()).map(({ path }) => path)).toEqual([
    '/home/u/.config/kli/AGENTS.md',
    '/ws/.git/hooks/pre-commit',
  ]);
});

test('only what changed by its times is read again', async () => {
  const { host, files } = watching();
  await (await files.watch())();
  host.calls['files.readRegular'] = 0;
  await (await files.watch())();
  expect(host.calls['files.readRegular']).toBe(0);
  await host.clock.sleep(1000);
  const since = await files.watch();
  host.files.put('/ws/.npmrc', 'new');
  await since();
  expect(host.calls['files.readRegular']).toBe(1);
});

test('a folder without end is looked at within bounds', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 3000 }, (_, index) => [`/ws/.rein/skills/s${index}/SKILL.md`, 'x']),
  );
  const { host, files } = watching(many);
  host.calls['files.stat'] = 0;
  await files.watch();
  expect(host.calls['files.stat']).toBeLessThanOrEqual(500);
});
