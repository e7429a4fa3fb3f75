import { expect, test } from 'vitest';
import { protection } from './protected-path.ts';
import { judged } from './test-permissions.ts';

const ROOTS = { home: '/home/u', configHome: '/home/u/.config', stateHome: '/home/u/.local/state' };

test('settings, records, hooks, profiles, registries and pipelines are protected, and nothing else', () => {
  const why = (path: string): string | null => protection(path, ROOTS);
  expect(
    [
      '/ws/.rein/settings.json',
      '/ws/sub/.REIN/skills/x/SKILL.md',
      '/home/u/.config/rein/settings.json',
      '/home/u/.local/state/rein/trust.json',
      '/ws/.git/hooks/pre-commit',
      '/ws/.git/config',
      '/ws/.husky/pre-push',
      '/home/u/.bashrc',
      '/home/u/.ssh/authorized_keys',
      '/ws/.npmrc',
      '/ws/a/b/PIP.conf',
      '/ws/.cargo/config.toml',
      '/ws/.github/workflows/ci.yml',
      '/ws/.gitlab-ci.yml',
      '/ws/.envrc',
      '/ws/.vscode/tasks.json',
    ].filter((path) => why(path) === null),
  ).toEqual([]);
  expect(
    [
      '/ws/src/a.js',
      '/ws/AGENTS.md',
      '/ws/.github/ISSUE_TEMPLATE.md',
      '/ws/.gitignore',
      '/ws/.bashrc',
      '/ws/rein/settings.json',
      '/ws/.vscode/extensions.json',
      '/home/u/.config/other/x',
    ].filter((path) => why(path) !== null),
  ).toEqual([]);
});

test('such a file is asked about in every mode that changes files, also by another name and through a link', async () => {
  const tree = { '/ws/innocent': { link: '.git' }, '/ws/.git/hooks/x': '' };
  const verdicts = async (path: string): Promise<string[]> =>
    Promise.all(
      ['ask', 'accept-edits', 'yolo', 'read-only'].map(
        async (mode) => (await judged({ type: 'path', path, access: 'write' }, { mode, tree })).verdict,
      ),
    );
  expect([await verdicts('/ws/.npmrc'), await verdicts('/ws/innocent/hooks/x'), await verdicts('/ws/a')]).toEqual([
    ['ask', 'ask', 'ask', 'deny'],
    ['ask', 'ask', 'ask', 'deny'],
    ['ask', 'allow', 'allow', 'deny'],
  ]);
});

test('a rule allows it only where the rule names the place; a grant for this file always', async () => {
  const verdict = async (rule: string, granted = false): Promise<string> => {
    const given = granted ? { grants: [rule] } : { rules: { allow: [rule] } };
    const subject = { type: 'path', path: '/ws/.github/workflows/ci.yml', access: 'write' } as const;
    return (await judged(subject, { mode: 'yolo', ...given })).verdict;
  };
  expect({
    all: await verdict('write'),
    wide: await verdict('write(/**)'),
    wider: await verdict('write(.github/**)'),
    named: await verdict('write(.github/workflows/**)'),
    exact: await verdict('write(.github/workflows/ci.yml)'),
    granted: await verdict('write(/ws/.github/workflows/ci.yml)', true),
  }).toEqual({ all: 'ask', wide: 'ask', wider: 'ask', named: 'allow', exact: 'allow', granted: 'allow' });
});
