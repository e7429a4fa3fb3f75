import { expect, test } from 'vitest';
import { createMemoryHost } from '../../host/memory/index.ts';
import { gitSnapshot } from './git-snapshot.ts';

type Answers = Readonly<Record<string, string>>;

/** What git answers, by the word after its safe options; anything else fails. */
function host(answers: Answers): { host: ReturnType<typeof createMemoryHost>; asked: string[] } {
  const asked: string[] = [];
  const made = createMemoryHost({
    processes: ({ args }) => {
      const key = args.find((arg) => !arg.startsWith('-') && !arg.includes('=')) ?? '';
      const word = key === 'rev-parse' ? `${key} ${args.at(-2) === '--abbrev-ref' ? 'branch' : 'inside'}` : key;
      asked.push(word);
      return answers[word] === undefined ? { exit: 128 } : { output: [answers[word]], exit: 0 };
    },
  });
  return { host: made, asked };
}

const REPOSITORY: Answers = {
  'rev-parse inside': 'true\n',
  'rev-parse branch': 'main\n',
  log: 'abc1234 One\ndef5678 Two\n',
  status: `${Array.from({ length: 25 }, (_, index) => ` M f${index}`).join('\n')}\n`,
};

async function remoteOf(address: string): Promise<string | null | undefined> {
  const { host: made } = host({ ...REPOSITORY, config: `${address}\n` });
  return (await gitSnapshot({ host: made, cwd: '/repo', env: {}, trusted: false }))?.remote;
}

test('branch, commits and, where the project is trusted, changed files, with an end', async () => {
  const { host: made } = host(REPOSITORY);
  const seen = await gitSnapshot({ host: made, cwd: '/repo', env: {}, trusted: true });
  expect({ ...seen, dirty: seen?.dirty.length }).toEqual({
    ...{ directory: '/repo', remote: null, branch: 'main', dirty: 20, dirtyCount: 25 },
    commits: ['abc1234 One', 'def5678 Two'],
  });
});

test('outside of a repository, or without git, there is nothing', async () => {
  const { host: made, asked } = host({});
  expect(await gitSnapshot({ host: made, cwd: '/repo', env: {}, trusted: true })).toBeNull();
  expect(asked).toEqual(['rev-parse inside']);
});

test('files are not compared in a project that is not trusted: its settings name what runs then', async () => {
  const { host: made, asked } = host(REPOSITORY);
  expect((await gitSnapshot({ host: made, cwd: '/repo', env: {}, trusted: false }))?.dirty).toEqual([]);
  expect(asked).not.toContain('status');
});

test('a remote is shown without user and password, and only of hosts that everybody knows', async () => {
  expect(
    await Promise.all(
      [
        'https://me:secret@github.com/owner/repo.git',
        'git@gitlab.com:group/sub/repo.git',
        'ssh://git@codeberg.org/owner/repo',
        'https://github.com.evil.example/owner/repo',
        'https://evil.example/github.com/repo',
        'git@git.intern:owner/repo.git',
        '/srv/repo.git',
        '',
      ].map(remoteOf),
    ),
  ).toEqual([
    'https://github.com/owner/repo',
    'https://gitlab.com/group/sub/repo',
    'https://codeberg.org/owner/repo',
    ...[null, null, null, null, null],
  ]);
});
