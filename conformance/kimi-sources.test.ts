import { chmodSync, readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Tree } from './rig/files.ts';
import { type RunOptions, systemOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const QUIET = ['-c', 'harness_guidance=false'];

function kimi(tree: Tree): Promise<Workspace> {
  return workspace(tree, { harness: 'kimi-cli' });
}

/** What stands between two texts of the prompt, fences left out; `$W` for the project. */
function between(w: Workspace, system: string, from: string, to: string): string {
  const start = system.indexOf(from) + from.length;
  return system.slice(start, system.indexOf(to, start)).replaceAll(w.project, '$W').replaceAll(w.home, '$H');
}

const listingIn = (w: Workspace, system: string): string =>
  between(w, system, 'Its first two levels:\n\n```\n', '\n```\n\nOnly two levels');
const agentsIn = (w: Workspace, system: string): string =>
  between(w, system, 'What applies here:\n\n```\n', '\n```\n\n# Skills');
const skillsIn = (w: Workspace, system: string): string =>
  between(w, system, 'These are available:\n\n', '\n\nDecide which');

async function listing(tree: Tree, prepare: (w: Workspace) => void = () => undefined, cwd = 'in'): Promise<string[]> {
  const w = await kimi({ 'in/': null, ...tree });
  prepare(w);
  return listingIn(w, await w.systemPrompt({ args: QUIET, cwd })).split('\n');
}

async function agents(tree: Tree, options: RunOptions & { args?: string[] } = {}): Promise<string> {
  const w = await kimi(tree);
  return agentsIn(w, await w.systemPrompt({ ...options, args: [...QUIET, ...(options.args ?? [])] }));
}

async function skills(tree: Tree, options: RunOptions & { args?: readonly string[] } = {}): Promise<string> {
  const w = await kimi({ '.git/': null, ...tree });
  return skillsIn(w, await w.systemPrompt({ ...options, args: [...QUIET, ...(options.args ?? [])] }));
}

const files = (count: number, directory: string): Tree =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${directory}/f${String(index).padStart(2, '0')}`, '']),
  );

verifies(['M12', 'M41'], 'two levels, directories first, then by code point; hidden ones too', async () => {
  expect(
    await listing({
      'in/b.txt': '',
      'in/B.txt': '',
      'in/.hidden': '',
      'in/empty/': null,
      'in/adir/x': '',
      'in/adir/sub/deep/y': '',
    }),
  ).toEqual(['├── adir/', '│   ├── sub/', '│   └── x', '├── empty/', '├── .hidden', '├── B.txt', '└── b.txt']);
});

verifies(['M40', 'M42'], 'at most 30 entries, and 10 in each directory; the rest is counted', async () => {
  const many = await listing(files(80, 'in'));
  expect([many.length, many[29], many[30]]).toEqual([31, '├── f29', '└── ... and 50 more entries']);
  const one = await listing(files(15, 'in/one'));
  expect([one.length, one[0], one.at(-2), one.at(-1)]).toEqual([
    12,
    '└── one/',
    '    ├── f09',
    '    └── ... and 5 more',
  ]);
  expect(await listing({})).toEqual(['(empty directory)']);
});

verifies('M12', 'links are files, whatever they lead to', async () => {
  expect(
    await listing({ 'in/real/x': '', 'in/link': { link: 'real' }, 'in/broken': { link: 'nowhere' }, 'in/a': '' }),
  ).toEqual(['├── real/', '│   └── x', '├── a', '├── broken', '└── link']);
});

if (process.getuid?.() !== 0) {
  verifies('M12', 'a directory that cannot be read says so', async () => {
    const lines = await listing({ 'in/closed/x': '' }, (w) => {
      chmodSync(w.path('in/closed'), 0o000);
    });
    expect(lines).toEqual(['└── closed/', '    └── [not readable]']);
  });
}

verifies('M43', 'a conversation keeps the listing of a directory, each directory its own', async () => {
  const w = await kimi({ 'in/one': '', 'other/two': '' });
  const s = w.stream(QUIET, { cwd: 'in' });
  await s.prompt('one');
  w.write('in/new', '');
  await s.prompt('two');
  await s.carryOut({ type: 'pushd', path: '../other' });
  await s.prompt('three');
  await s.carryOut({ type: 'popd' });
  await s.prompt('four');
  await s.end();
  await w.print([...QUIET, '--continue', 'five'], { cwd: 'in' });
  expect(w.requests().map((request) => listingIn(w, systemOf(request)))).toEqual([
    '└── one',
    '└── one',
    '└── two',
    '└── one',
    '└── one',
  ]);
  // Nor is it looked at again: where the directory is gone nothing is missing.
  const fresh = await kimi({ 'in/one': '' });
  await fresh.print([...QUIET, 'new'], { cwd: 'in' });
  expect(listingIn(fresh, systemOf(fresh.requests()[0]))).toBe('└── one');
});

verifies(['M47', 'M48', 'M50', 'M13'], 'from the root to the directory, .kimi first, each below its path', async () => {
  const tree = {
    'AGENTS.md': 'above\n',
    'repo/.git/': null,
    'repo/AGENTS.md': 'root\n',
    'repo/.kimi/AGENTS.md': '\n kimi root \n',
    'repo/web/agents.md': 'web',
    'repo/web/app/AGENTS.md': 'app',
    'repo/web/app/agents.md': 'not this one',
    'repo/web/app/.kimi/AGENTS.md': 'kimi app',
    'repo/api/AGENTS.md': 'elsewhere',
  };
  const file = (path: string, text: string): string => `<!-- From: $W/repo/${path} -->\n${text}`;
  expect(await agents(tree, { cwd: 'repo/web/app' })).toBe(
    [
      file('.kimi/AGENTS.md', 'kimi root'),
      file('AGENTS.md', 'root'),
      file('web/agents.md', 'web'),
      file('web/app/.kimi/AGENTS.md', 'kimi app'),
      file('web/app/AGENTS.md', 'app'),
    ].join('\n\n'),
  );
});

verifies('M47', 'outside of a repository only the working directory counts', async () => {
  expect(await agents({ 'AGENTS.md': 'above', 'in/AGENTS.md': 'here' }, { cwd: 'in' })).toBe(
    '<!-- From: $W/in/AGENTS.md -->\nhere',
  );
  expect(await agents({ 'in/': null }, { cwd: 'in' })).toBe('');
});

verifies('M48', 'a blank or unreadable AGENTS.md lets the next name count', async () => {
  const bytes = Buffer.from([0xff, 0xfe, 0x41, 0xff]);
  expect([
    await agents({ '.git/': null, 'AGENTS.md': ' \n', 'agents.md': 'lower' }),
    await agents({ '.git/': null, 'AGENTS.md': bytes, 'agents.md': 'lower' }),
  ]).toEqual(['<!-- From: $W/agents.md -->\nlower', '<!-- From: $W/agents.md -->\nlower']);
});

verifies(
  'M49',
  '32 KiB from the nearest outward; what is cut is cut between characters, and a person is told',
  async () => {
    const w = await kimi({ '.git/': null, 'AGENTS.md': 'é'.repeat(10_000), 'web/AGENTS.md': 'l'.repeat(20_001) });
    const { stderr } = await w.print([...QUIET, 'hello'], { cwd: 'web' });
    const system = systemOf(w.requests()[0]);
    const start = system.indexOf('<!-- From:');
    const text = system.slice(start, system.indexOf('\n```\n\n# Skills', start));
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(32_768);
    expect(Buffer.byteLength(text)).toBeGreaterThan(32_768 - 2);
    expect(text.endsWith('l'.repeat(20_001))).toBe(true);
    expect(text).not.toContain('\ufffd');
    expect(stderr).toMatch(
      new RegExp(
        `^${w.path('AGENTS.md')}: warning: \\d+ bytes at the end are not sent: all instruction files together have 32768 bytes$`,
        'm',
      ),
    );
  },
);

verifies('M73', 'instruction files and skills follow the disk at each request', async () => {
  const w = await kimi({ '.git/': null, 'AGENTS.md': 'V1' });
  const s = w.stream(QUIET);
  await s.prompt('one');
  w.write('AGENTS.md', 'V2');
  w.write('.kimi/skills/new/SKILL.md', '---\nname: new\ndescription: Is new.\n---\n');
  await s.prompt('two');
  await s.end();
  const seen = w
    .requests()
    .map((request) => [agentsIn(w, systemOf(request)).split('\n')[1], /- new\n/.test(systemOf(request))]);
  expect(seen).toEqual([
    ['V1', false],
    ['V2', true],
  ]);
});

const skill = (name: string, description = `About ${name}.`): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\nBODY of ${name}\n`;
const shown = (name: string, path: string, description = `About ${name}.`): string =>
  `- ${name}\n  - Path: ${path}\n  - Description: ${description}`;

verifies(['M52', 'M55', 'M14'], 'brand directories before the general one, project before user, by scope', async () => {
  expect(
    await skills({
      '.claude/skills/b/SKILL.md': skill('b'),
      '.claude/skills/a/SKILL.md': skill('a'),
      '.codex/skills/never/SKILL.md': skill('never'),
      '.agents/skills/c/SKILL.md': skill('c'),
      '~/.kimi/skills/u/SKILL.md': skill('u'),
      '~/.config/agents/skills/v/SKILL.md': skill('v'),
      '~/.agents/skills/never/SKILL.md': skill('never'),
    }),
  ).toBe(
    [
      `### Project\n${shown('a', '$W/.claude/skills/a/SKILL.md')}\n${shown('b', '$W/.claude/skills/b/SKILL.md')}\n${shown('c', '$W/.agents/skills/c/SKILL.md')}`,
      `### User\n${shown('u', '$H/.kimi/skills/u/SKILL.md')}\n${shown('v', '$H/.config/agents/skills/v/SKILL.md')}`,
    ].join('\n\n'),
  );
});

verifies('M52', 'they belong to the working directory; an empty brand directory shadows the others', async () => {
  const outer = { '.kimi/skills/outer/SKILL.md': skill('outer') };
  expect([
    await skills(
      {
        ...outer,
        'in/.kimi/skills/': null,
        'in/.claude/skills/x/SKILL.md': skill('x'),
        '~/.kimi/skills/u/SKILL.md': skill('u'),
      },
      { cwd: 'in' },
    ),
  ]).toEqual([`### User\n${shown('u', '$H/.kimi/skills/u/SKILL.md')}`]);
});

verifies(['M51', 'M54'], 'of one name, whatever its case, the first scope counts', async () => {
  expect(
    await skills(
      {
        '.kimi/skills/one/SKILL.md': skill('One', 'Project.'),
        '~/.kimi/skills/one/SKILL.md': skill('one', 'User.'),
        '~/.kimi/skills/two/SKILL.md': skill('two', 'User.'),
        '../more/two/SKILL.md': skill('TWO', 'Extra.'),
        '../more/three/SKILL.md': skill('three', 'Extra.'),
      },
      { args: ['-c', 'skills.extra_dirs=["../more"]'] },
    ).then((text) => text.replace(/- Path: .*/g, '- Path')),
  ).toBe(
    [
      '### Project\n- One\n  - Path\n  - Description: Project.',
      '### User\n- two\n  - Path\n  - Description: User.',
      '### Extra\n- three\n  - Path\n  - Description: Extra.',
    ].join('\n\n'),
  );
});

verifies('M53', 'front matter is read line by line, with block texts', async () => {
  const heads: Tree = {
    '.kimi/skills/a/SKILL.md': '---\nname: "a"\ndescription: |-\n  One "line".\n\ttwo\n  three\n---\n',
    '.kimi/skills/b/SKILL.md': "---\nname: 'b'\ndescription: |\n  first\n\n  lost\n---\n",
    '.kimi/skills/c/SKILL.md': '---\ndescription:\nname: c\nother: x\n---\n',
    '.kimi/skills/d/SKILL.md': '---\nname: d\n---\nno description\n',
    '.kimi/skills/e/SKILL.md': '\n---\nname: e\ndescription: e\n---\n',
    '.kimi/skills/f/SKILL.md': '---\nname: f\ndescription: f\n---',
  };
  expect((await skills(heads)).replace(/\n {2}- Path: .*/g, '')).toBe(
    [
      '### Project',
      '- a\n  - Description: One "line".\ntwo\nthree',
      '- b\n  - Description: first',
      '- c\n  - Description: ',
    ].join('\n'),
  );
});

verifies('M54', 'skills of a developer text join as Extra, and the block is no instruction', async () => {
  const block = [
    '<skills_instructions>',
    '## Skills',
    '### Available skills',
    '- plain: One line. (file: /s/plain/SKILL.md)',
    '- plugin:two: Over "two"',
    '  lines. (file: r1/two/SKILL.md)',
    '- three: (file: /s/three)',
    '- not one (file: /x)',
    '### How to use skills',
    '- never: Not here. (file: /s/never)',
    '</skills_instructions>',
  ].join('\n');
  const w = await kimi({ '.git/': null });
  const system = await w.systemPrompt({ args: [...QUIET, '--append-system-prompt', block] });
  expect(skillsIn(w, system)).toBe(
    `### Extra\n${shown('plain', '/s/plain/SKILL.md', 'One line.')}\n${shown('plugin:two', 'r1/two/SKILL.md', 'Over "two"\n  lines.')}\n${shown('three', '/s/three', '')}`,
  );
  expect(system).not.toContain('skills_instructions');
  expect(system).not.toContain('# Additional Developer Instructions');
});

verifies('M56', 'where there are none, two of our own are listed, as files that can be read', async () => {
  const w = await kimi({ '.git/': null });
  const text = skillsIn(w, await w.systemPrompt({ args: QUIET }));
  expect(text.match(/^- .*$|^### .*$/gm)).toEqual(['### Built-in', '- kimi-cli-help', '- skill-creator']);
  for (const [, path = ''] of text.matchAll(/- Path: (.*)$/gm)) {
    expect(readFileSync(path, 'utf8')).toMatch(/^---\nname: (kimi-cli-help|skill-creator)\n/);
  }
});

verifies('M52', 'skills of a checkout of the original are built in', async () => {
  const text = await skills(
    { '../kimi/src/kimi_cli/skills/own/SKILL.md': skill('own') },
    { env: { KIMI_CLI_SOURCE_DIR: '../kimi' } },
  );
  expect(text.replace(/- Path: .*/g, '- Path')).toBe('### Built-in\n- own\n  - Path\n  - Description: About own.');
});

verifies(['M14', 'M56'], 'a report says of each skill that was found whether it is listed, and why not', async () => {
  const w = await kimi({ '.git/': null, '.kimi/skills/a/SKILL.md': skill('a') });
  const { stdout } = await w.run(['context', '--json']);
  const { pieces } = JSON.parse(stdout) as {
    pieces: { kind: string; origin: { path?: string }; skipped?: string; status?: string }[];
  };
  const skipped = pieces
    .filter(({ kind }) => kind === 'skill')
    .map(({ origin, ...rest }) => [origin.path?.split('/').at(-2), JSON.stringify(rest)]);
  expect(
    skipped.map(([name, rest]) => [name, /only its name and description|not listed: another/.exec(rest ?? '')?.[0]]),
  ).toEqual([
    ['a', 'only its name and description'],
    ['kimi-cli-help', 'not listed: another'],
    ['skill-creator', 'not listed: another'],
  ]);
});
