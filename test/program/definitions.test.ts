import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bodyOf, type Ended, systemOf, toolNamesOf, workspace } from '../../conformance/rig.ts';
import { type RehearsalReply, reply } from '../../src/testing/index.ts';

function ended({ code, stdout, stderr }: Ended): [number | null, string, string] {
  return [code, stdout, stderr];
}

test('rein init writes a first set, lists it, and a second time writes nothing', async () => {
  const w = await workspace({ '.git/': null, 'sub/': null });
  const first = await w.run(['init'], { cwd: 'sub' });
  const paths = [
    'AGENTS.md',
    '.rein/settings.json',
    '.rein/facets/review.md',
    '.rein/subagents/test-runner.md',
    '.rein/skills/commit-message/SKILL.md',
  ];
  const abouts = [
    'what an agent has to know of this project',
    'settings, all of them commented out',
    'an example of a facet: rein --facet review',
    'an example of a subagent',
    'an example of a skill',
  ];
  const lines = paths.map((path, index) => `${w.path(path)}: written (${abouts[index]})\n`);
  expect(ended(first)).toEqual([0, lines.join(''), '']);
  const texts = paths.map((path) => readFileSync(w.path(path), 'utf8'));
  const second = await w.run(['init']);
  expect(ended(second)).toEqual([
    0,
    paths.map((path) => `${w.path(path)}: is there already, left as it is\n`).join(''),
    '',
  ]);
  expect(paths.map((path) => readFileSync(w.path(path), 'utf8'))).toEqual(texts);
});

test('rein init --user writes the user’s own; the project is not touched', async () => {
  const w = await workspace({ '.git/': null });
  const { code, stdout } = await w.run(['init', '--user']);
  const written = stdout.split('\n').map((line) => line.split(':')[0]);
  expect([code, written]).toEqual([
    0,
    [
      ...[
        'AGENTS.md',
        'settings.json',
        'facets/review.md',
        'subagents/test-runner.md',
        'skills/commit-message/SKILL.md',
      ].map((path) => w.path(`~/.config/rein/${path}`)),
      '',
    ],
  ]);
});

test('rein validate is content with what rein init wrote, and settings stay as they are by default', async () => {
  const w = await workspace({ '.git/': null });
  await w.run(['init']);
  for (const [kind, path] of [
    ['facet', '.rein/facets/review.md'],
    ['subagent', '.rein/subagents/test-runner.md'],
    ['skill', '.rein/skills/commit-message/SKILL.md'],
  ] as const) {
    expect(ended(await w.run(['validate', kind, path]))).toEqual([0, `${w.path(path)}: no faults found\n`, '']);
  }
  const { stdout, stderr } = await w.run(['config'], { env: { REIN_HARNESS: '', REIN_MODEL: '', REIN_BASE_URL: '' } });
  expect([stdout.split('\n').filter((line) => line.includes('settings.json')), stderr]).toEqual([[], '']);
});

test('rein validate ends with 1 for a fault, with 2 for a file that is not there or a kind that is none', async () => {
  const w = await workspace({
    '.git/': null,
    'plain.md': 'You review.\n',
    'agent.md': '---\nname: agent\ndescription: d\n---\nx\n',
  });
  const faulty = await w.run(['validate', 'facet', 'plain.md']);
  expect([faulty.code, faulty.stdout.startsWith(`${w.path('plain.md')}:`), faulty.stderr]).toEqual([1, true, '']);
  const json = await w.run(['validate', 'subagent', 'agent.md', '--json']);
  expect([json.code, JSON.parse(json.stdout)]).toEqual([
    0,
    {
      ok: true,
      kind: 'subagent',
      path: w.path('agent.md'),
      diagnostics: [],
    },
  ]);
  const absent = await w.run(['validate', 'skill', 'nowhere/SKILL.md']);
  expect([absent.code, absent.stdout, absent.stderr.startsWith('rein: cannot read ')]).toEqual([2, '', true]);
  expect(ended(await w.run(['validate', 'faset', 'plain.md']))).toEqual([
    2,
    '',
    'rein: "rein validate": "faset" is not one of facet, subagent, skill; did you mean facet?\n',
  ]);
  expect(ended(await w.run(['validate', 'facet']))).toEqual([
    2,
    '',
    'rein: say what it is, and the file: rein validate facet | subagent | skill FILE\n',
  ]);
});

test('rein vfs says what a harness ships, and that it has no such text', async () => {
  const w = await workspace({ '.git/': null });
  const args = (...words: string[]): string[] => ['vfs', ...words, '--harness', 'kli'];
  expect(ended(await w.run(args('ls')))).toEqual([0, '', '']);
  expect(ended(await w.run(args('cat', 'rein://facets/plan.md')))).toEqual([
    2,
    '',
    'rein: harness "kli" ships no text "rein://facets/plan.md"; rein vfs ls lists what there is\n',
  ]);
  expect(ended(await w.run(args('cat')))).toEqual([2, '', 'rein: rein vfs cat needs a URI: rein vfs ls lists them\n']);
});

test('--facet of a harness without facets is refused before any request, in every mode', async () => {
  const w = await workspace({ '.git/': null });
  const refusal = 'rein: harness "kli" has no facets\n';
  expect(ended(await w.run(['-p', '--facet', 'plan', 'hello']))).toEqual([2, '', refusal]);
  expect(ended(await w.run(['context', '--facet', 'plan']))).toEqual([2, '', refusal]);
  expect([w.requests().length, (await w.run(['-p', '--facet=', 'hello'])).stderr]).toEqual([
    0,
    'rein: --facet is empty\n',
  ]);
});

test('rein trust takes a project whose settings need no trust', async () => {
  const w = await workspace({ '.git/': null });
  expect(ended(await w.run(['trust']))).toEqual([
    0,
    `trusted ${w.path('.')}: no setting of it runs or widens anything\n`,
    '',
  ]);
});

test('over stdin: clear, pushd, popd and reload are done, and a facet that there is not is an error', async () => {
  const w = await workspace({ '.git/': null, 'sub/': null, 'AGENTS.md': 'ONE' });
  const commands = [
    { type: 'prompt', text: 'one' },
    { type: 'clear', tag: 'c' },
    { type: 'pushd', path: 'sub', tag: 'd' },
    { type: 'popd', tag: 'p' },
    { type: 'reload', tag: 'r' },
    { type: 'facet', to: 'plan', tag: 'f' },
    { type: 'prompt', text: 'two' },
    { type: 'end' },
  ];
  const input = commands.map((command) => `${JSON.stringify(command)}\n`).join('');
  const { code, stdout } = await w.run(['-p', '--input', 'stream-json'], { input });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
  const answers = lines.filter(({ type, tag }) => (type === 'done' || type === 'error') && tag !== undefined);
  const project = w.path('.');
  expect([code, answers]).toEqual([
    0,
    [
      { type: 'done', tag: 'c' },
      { type: 'done', tag: 'd', value: { stack: [project, w.path('sub')], cwd: w.path('sub') } },
      { type: 'done', tag: 'p', value: { stack: [project], cwd: project } },
      { type: 'done', tag: 'r', value: { harness: 'kli', changed: {}, diagnostics: 0, failed: [] } },
      { type: 'error', tag: 'f', code: 'facet/none', message: 'harness "kli" has no facets' },
    ],
  ]);
  const { messages } = bodyOf(w.requests()[1]) as { messages: { content: unknown }[] };
  expect(messages.slice(1).map(({ content }) => content)).toEqual([
    `The working directory is now ${w.path('sub')}; relative paths start there.`,
    `The working directory is now ${project}; relative paths start there.`,
    'two',
  ]);
});

test('--facet of a harness that has it: in the report, in the request, and a name that is none ends with 2', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'rein' });
  await w.run(['init']);
  const { stdout } = await w.run(['context', '--facet', 'review', '--json']);
  expect((JSON.parse(stdout) as { facet: string }).facet).toBe('review');
  await w.print(['--facet', 'review', 'hello']);
  expect(toolNamesOf(w.requests()[0]).filter((name) => name === 'edit' || name === 'write')).toEqual([]);
  const types = w.sessionLines().filter(({ type }) => type === 'facet');
  expect(types.map(({ from, to, by }) => ({ from, to, by }))).toEqual([{ from: null, to: 'review', by: 'flag' }]);
  for (const args of [['-p', 'hello'], ['context']]) {
    const refused = await w.run([...args, '--facet', 'revue']);
    expect([refused.code, refused.stdout, refused.stderr.startsWith('rein: there is no facet "revue"')]).toEqual([
      2,
      '',
      true,
    ]);
  }
  expect(w.requests().length).toBe(1);
});

test('what a harness ships can be listed and printed', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'rein' });
  const all = (await w.run(['vfs', 'ls'])).stdout.trim().split('\n');
  const facets = (await w.run(['vfs', 'ls', 'rein://facets'])).stdout.trim().split('\n');
  expect(facets).toEqual(all.filter((uri) => uri.startsWith('rein://facets/')).map((uri) => uri.slice(14)));
  expect((await w.run(['vfs', 'ls', 'rein://subagents'])).stdout.trim().split('\n')).toEqual([
    'general-purpose-mini.md',
    'general-purpose.md',
    'plan-reviewer.md',
    'researcher.md',
  ]);
  const text = await w.run(['vfs', 'cat', all[0] ?? '']);
  expect([text.code, text.stdout.length > 0, text.stderr]).toEqual([0, true, '']);
});

test('a subagent’s body takes a fragment from beside it, or from the facets that share theirs', async () => {
  const as = (agent: string, made: RehearsalReply): RehearsalReply => ({ ...made, when: { agent } });
  const w = await workspace(
    {
      '.git/': null,
      '.rein/subagents/own.md':
        '---\nname: own\ndescription: d\n---\n{{ transclude("parts/a.md") }} {{ transclude("parts/b.md") }}\n',
      '.rein/subagents/parts/a.md': 'BESIDE',
      '.rein/facets/parts/a.md': 'NEVER',
      '.rein/facets/parts/b.md': 'SHARED',
    },
    {
      harness: 'rein',
      replies: [
        as('root', reply.calls([{ name: 'subagent', arguments: { agent: 'own', prompt: 'GO', description: 'go' } }])),
        as('own', reply.calls([{ name: 'exit_tool', arguments: { summary: 'DONE' } }])),
        { text: 'ok', repeat: true },
      ],
    },
  );
  await w.print(['go']);
  const [own] = w.requests().filter(({ agent }) => agent === 'own');
  expect(systemOf(own).endsWith('\n\nBESIDE SHARED')).toBe(true);
  const fragments = w
    .sessionFiles()
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .filter((line) => line.startsWith('{"type":"piece"') && line.includes('"subagent:own"'))
    .map((line) => (JSON.parse(line) as { piece: { fragments: { from: { path: string } }[] } }).piece.fragments);
  expect(fragments.map((each) => each.map(({ from }) => from.path))).toEqual([
    [w.path('.rein/subagents/parts/a.md'), w.path('.rein/facets/parts/b.md')],
  ]);
});
