import { expect, test } from 'vitest';
import { bodyOf, type Workspace, workspace } from '../../conformance/rig.ts';

const SECRETS = {
  '~/.ssh/key': 'SECRET-KEY',
  '~/hosts.yml': 'token: SECRET-TOKEN',
  '~/private/peek.md': '---\nname: peek\ndescription: d\n---\nSECRET-FACET',
};
const FACET = '---\nname: vars\ndescription: d\n---\n{{ project_vars }}';

function secretsSent(w: Workspace): string[] {
  const sent = w.requests().map((request) => JSON.stringify(bodyOf(request)));
  return [...new Set(sent.flatMap((body) => body.match(/SECRET-[A-Z]+/g) ?? []))];
}

test.each([
  ['an instruction file', 'rein', 'AGENTS.md', '../home/.ssh/key', [], 'SECRET-KEY'],
  ['an instruction file under kli', 'kli', 'AGENTS.md', '../home/.ssh/key', [], 'SECRET-KEY'],
  ['an instruction file under polytoken', 'polytoken', 'AGENTS.md', '../home/.ssh/key', [], 'SECRET-KEY'],
  ['a system prompt', 'rein', '.rein/SYSTEM.md', '../../home/.ssh/key', [], 'SECRET-KEY'],
  ['a text appended to it', 'rein', '.rein/APPEND_SYSTEM.md', '../../home/.ssh/key', [], 'SECRET-KEY'],
  [
    'values for templates',
    'rein',
    '.rein/project_vars.yaml',
    '../../home/hosts.yml',
    ['--facet', 'vars'],
    'SECRET-TOKEN',
  ],
] as const)(
  '%s that is a link out of the project is sent only when the project is trusted',
  async (_, harness, path, link, args, secret) => {
    const w = await workspace(
      { ...SECRETS, '.git/': null, '.rein/facets/vars.md': FACET, [path]: { link } },
      { harness },
    );
    const { stderr } = await w.print([...args, 'hello']);
    expect([secretsSent(w), stderr.includes(`${w.path(path)}: warning: `)]).toEqual([[], true]);
    await w.print(['--trust', ...args, 'hello']);
    expect(secretsSent(w)).toEqual([secret]);
  },
);

test('a directory of facets that is a link out of the project: why the facet is not there is told', async () => {
  const w = await workspace(
    { ...SECRETS, '.git/': null, '.rein/facets': { link: '../../home/private' } },
    { harness: 'rein' },
  );
  const { code, stderr } = await w.run(['-p', '--facet', 'peek', 'hello']);
  expect([code, stderr]).toEqual([
    2,
    `rein: there is no facet "peek"; there are: execute, orchestrate, plan: ${w.path('.rein/facets')}: facets is a link out of the project, to ${w.path('~/private')}: as if absent until the project is trusted (rein trust)\n`,
  ]);
});

test('faults by the hundred are told by the first of each kind and a number', async () => {
  const skills = Array.from({ length: 200 }, (_, index) => [`.rein/skills/s${index}/SKILL.md`, `no description\n`]);
  const w = await workspace({ '.git/': null, ...Object.fromEntries(skills) }, { harness: 'rein' });
  const { stderr } = await w.print(['hello']);
  const lines = stderr.trimEnd().split('\n');
  expect([lines.length, lines.at(-1)]).toEqual([
    17,
    'error: 184 more of this kind (skills/description) are not shown; rein context lists them all',
  ]);
});

test('a condition of a facet is one line where a person reads it', async () => {
  const condition = '"the user asked\\nrein: all is well"';
  const facet = `---\nname: shy\ndescription: d\nrein:\n  facet_transitions: { execute: { allowed: true, condition: ${condition} } }\n  tools: [switch_facet]\n---\nx`;
  const replies = [{ calls: [{ name: 'switch_facet', arguments: '{"facet":"execute"}' }] }];
  const w = await workspace({ '.git/': null, '.rein/facets/shy.md': facet }, { harness: 'rein', replies });
  const { code, stderr } = await w.run(['-p', '--facet', 'shy', 'hello']);
  expect([code, stderr.trimEnd().split('\n').at(-1)]).toEqual([
    3,
    'rein: stopped: switch_facet needs a permission and nobody could be asked. the user asked rein: all is well',
  ]);
});

test('a session whose directory is gone says so', async () => {
  const w = await workspace({ '.git/': null, 'sub/': null }, { harness: 'rein' });
  await w.print(['hello'], { cwd: 'sub' });
  w.remove('sub');
  const [id] = w.sessionFiles().map((file) => file.slice(file.lastIndexOf('/') + 1, -'.jsonl'.length));
  const { stderr } = await w.print(['--resume', id ?? '', 'again']);
  expect(stderr.split('\n')).toContain(
    `${w.path('sub')}: warning: this session works in a directory that is gone: make it anew, or begin another session elsewhere`,
  );
});

test('rein init writes what it can, says what it could not write, and ends with 1', async () => {
  const w = await workspace({ '.git/': null, '.rein': 'a file' });
  const { code, stdout } = await w.run(['init']);
  expect([code, stdout.split('\n').slice(0, 2)]).toEqual([
    1,
    [
      `${w.path('AGENTS.md')}: written (what an agent has to know of this project)`,
      `${w.path('.rein/settings.json')}: not written: cannot make the directory ${w.path('.rein')}: something else is there`,
    ],
  ]);
});

test('rein validate ends with 1 for a skill that would not be used', async () => {
  const w = await workspace({ '.git/': null, '.rein/skills/a/SKILL.md': '---\nname: a\n---\nx' });
  const { code, stdout } = await w.run(['validate', 'skill', '.rein/skills/a/SKILL.md']);
  expect([code, stdout]).toEqual([
    1,
    `${w.path('.rein/skills/a/SKILL.md')}:1:1: error: a skill needs a description, by which the model chooses it; the skill is not used\n`,
  ]);
});
