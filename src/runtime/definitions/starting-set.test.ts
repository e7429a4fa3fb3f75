import { expect, test } from 'vitest';
import { loadConfig } from '../../config/index.ts';
import { createMemoryHost, type MemoryHost } from '../../host/memory/index.ts';
import { type StartingFile, startingSet } from './starting-set.ts';
import { SETTINGS_TEXT } from './starting-texts.ts';

type Tree = NonNullable<NonNullable<Parameters<typeof createMemoryHost>[0]>['files']>;

const CONFIG = '/home/user/.config';

function machine(files: Tree = {}): MemoryHost {
  return createMemoryHost({ files: { '/p/.git/HEAD': 'ref', ...files }, cwd: '/p' });
}

function outcomes(files: readonly StartingFile[]): [string, string][] {
  return files.map(({ path, outcome }) => [path, outcome]);
}

test('a project gets its files at its root, from wherever it is called', async () => {
  const host = machine({ '/p/src': { directory: true } });
  expect(outcomes(await startingSet({ cwd: '/p/src' }, host))).toEqual([
    ['/p/AGENTS.md', 'written'],
    ['/p/.rein/settings.json', 'written'],
    ['/p/.rein/facets/review.md', 'written'],
    ['/p/.rein/subagents/test-runner.md', 'written'],
    ['/p/.rein/skills/commit-message/SKILL.md', 'written'],
  ]);
  expect(Object.keys(host.files.snapshot('/p')).filter((path) => !path.startsWith('/p/.git'))).toContain(
    '/p/.rein/facets/review.md',
  );
});

test('the user gets theirs where the user’s settings are', async () => {
  const host = machine();
  expect(outcomes(await startingSet({ user: true }, host))).toEqual([
    [`${CONFIG}/rein/AGENTS.md`, 'written'],
    [`${CONFIG}/rein/settings.json`, 'written'],
    [`${CONFIG}/rein/facets/review.md`, 'written'],
    [`${CONFIG}/rein/subagents/test-runner.md`, 'written'],
    [`${CONFIG}/rein/skills/commit-message/SKILL.md`, 'written'],
  ]);
});

test('what is there stays as it is, and an instruction file of another name counts', async () => {
  const mine = { '/p/CLAUDE.md': 'mine', '/p/.rein/settings.json': '{ "effort": "low" }' };
  const host = machine(mine);
  const first = await startingSet({}, host);
  const before = host.files.snapshot('/p');
  const second = await startingSet({}, host);
  expect([first.map(({ outcome }) => outcome), second.map(({ outcome }) => outcome)]).toEqual([
    ['there', 'there', 'written', 'written', 'written'],
    ['there', 'there', 'there', 'there', 'there'],
  ]);
  expect(host.files.snapshot('/p')).toEqual(before);
  expect(before).toMatchObject(mine);
});

test('nothing is written where a link of the project leads out of it', async () => {
  const host = machine({
    '/p/.rein': { link: '/outside' },
    '/outside/keep': 'x',
    '/p/AGENTS.md': { link: '/outside/a' },
  });
  expect((await startingSet({}, host)).map(({ outcome }) => outcome)).toEqual([
    'there',
    'elsewhere',
    'elsewhere',
    'elsewhere',
    'elsewhere',
  ]);
  expect(host.files.snapshot('/outside')).toEqual({ '/outside/keep': 'x' });
});

test('a file that cannot be written is told with the reason, and the others are written', async () => {
  const host = machine({ '/p/.rein/facets': 'a file' });
  expect(await startingSet({}, host)).toMatchObject([
    { path: '/p/AGENTS.md', outcome: 'written' },
    { path: '/p/.rein/settings.json', outcome: 'written' },
    {
      path: '/p/.rein/facets/review.md',
      outcome: 'failed',
      why: 'cannot make the directory /p/.rein/facets: something else is there',
    },
    { path: '/p/.rein/subagents/test-runner.md', outcome: 'written' },
    { path: '/p/.rein/skills/commit-message/SKILL.md', outcome: 'written' },
  ]);
});

test('the settings that are written set nothing, and have no fault', async () => {
  const host = machine({ '/p/.rein/settings.json': SETTINGS_TEXT });
  const request = { files: host.files, env: host.env, cwd: '/p', projectRoot: '/p', configHome: CONFIG };
  const { values, diagnostics } = await loadConfig({ ...request, overrides: [], flags: {} });
  expect([values.filter(({ origin }) => origin.from !== 'default'), diagnostics]).toEqual([[], []]);
});
