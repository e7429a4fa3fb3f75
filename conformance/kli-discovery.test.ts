import { expect } from 'vitest';
import { contextOf, contextSection } from './rig/kli-prompt.ts';
import { workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const CAP = 2_097_152;

verifies('K7', 'files found form one section at the end of the prompt, and without files there is none', async () => {
  const w = await workspace({ '.git/': null });
  const base = await w.systemPrompt();
  w.write('AGENTS.md', 'RULES\n');
  expect(await w.systemPrompt()).toBe(`${base}${contextSection([w.path('AGENTS.md'), 'RULES\n'])}`);
});

verifies('K8', 'each file stands under its path, as it is on disk', async () => {
  const text = '\n  # Title\r\n\r\n## /etc/AGENTS.md\n\ntrailing  \n\n';
  const w = await workspace({ '.git/': null, 'AGENTS.md': text, 'a/CLAUDE.md': 'no newline' });
  const system = await w.systemPrompt({ cwd: 'a' });
  expect(contextOf(system)).toBe(contextSection([w.path('AGENTS.md'), text], [w.path('a/CLAUDE.md'), 'no newline']));
});

verifies('K9', 'the names are tried in order and the first that exists is taken', async () => {
  const names = ['AGENTS.md', 'AGENTS.MD', 'CLAUDE.md', 'CLAUDE.MD'];
  const w = await workspace({ '.git/': null, ...Object.fromEntries(names.map((name) => [name, `in ${name}`])) });
  for (const name of names) {
    expect(contextOf(await w.systemPrompt())).toBe(contextSection([w.path(name), `in ${name}`]));
    w.remove(name);
  }
  w.write('agents.md', 'not a candidate');
  w.write('GEMINI.md', 'not a candidate');
  expect(contextOf(await w.systemPrompt())).toBe('');
});

verifies('K9', 'a directory with a candidate’s name is not a file that exists', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md/': null, 'CLAUDE.md': 'taken' });
  expect(contextOf(await w.systemPrompt())).toBe(contextSection([w.path('CLAUDE.md'), 'taken']));
});

verifies('K10', 'beside AGENTS.md no CLAUDE.md is read, in each directory by itself', async () => {
  const w = await workspace({
    '.git/': null,
    'AGENTS.md': 'root agents',
    'CLAUDE.md': 'root claude',
    'a/CLAUDE.md': 'inner claude',
  });
  expect(contextOf(await w.systemPrompt({ cwd: 'a' }))).toBe(
    contextSection([w.path('AGENTS.md'), 'root agents'], [w.path('a/CLAUDE.md'), 'inner claude']),
  );
});

verifies('K11', 'the search begins in the working directory and only goes up', async () => {
  const w = await workspace({
    '.git/': null,
    'AGENTS.md': 'root',
    'a/AGENTS.md': 'here',
    'a/b/AGENTS.md': 'below',
    'z/AGENTS.md': 'beside',
  });
  expect(contextOf(await w.systemPrompt({ cwd: 'a' }))).toBe(
    contextSection([w.path('AGENTS.md'), 'root'], [w.path('a/AGENTS.md'), 'here']),
  );
});

verifies('K11', '-C chooses the directory in which it begins', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'root', 'a/AGENTS.md': 'here' });
  expect(contextOf(await w.systemPrompt({ args: ['-C', 'a'] }))).toBe(
    contextSection([w.path('AGENTS.md'), 'root'], [w.path('a/AGENTS.md'), 'here']),
  );
});

verifies('K12', 'the repository root is searched, and nothing above it', async () => {
  const w = await workspace({ 'AGENTS.md': 'above', 'repo/.git/': null, 'repo/AGENTS.md': 'root', 'repo/a/': null });
  const expected = contextSection([w.path('repo/AGENTS.md'), 'root']);
  expect(contextOf(await w.systemPrompt({ cwd: 'repo/a' }))).toBe(expected);
  expect(contextOf(await w.systemPrompt({ cwd: 'repo' }))).toBe(expected);
});

verifies('K13', 'a worktree’s .git file ends the walk as a directory does', async () => {
  const w = await workspace({
    'AGENTS.md': 'above',
    'tree/.git': 'gitdir: /somewhere/.git/worktrees/tree\n',
    'tree/AGENTS.md': 'root',
    'tree/a/AGENTS.md': 'inner',
  });
  expect(contextOf(await w.systemPrompt({ cwd: 'tree/a' }))).toBe(
    contextSection([w.path('tree/AGENTS.md'), 'root'], [w.path('tree/a/AGENTS.md'), 'inner']),
  );
});

verifies('K14', 'outside a repository every ancestor is searched', async () => {
  const w = await workspace({ 'AGENTS.md': 'far', 'a/b/AGENTS.md': 'near', 'a/b/c/': null });
  expect(contextOf(await w.systemPrompt({ cwd: 'a/b/c' }))).toBe(
    contextSection([w.path('AGENTS.md'), 'far'], [w.path('a/b/AGENTS.md'), 'near']),
  );
});

verifies('K15', 'the outermost file comes first, the closest last', async () => {
  const w = await workspace({ '.git/': null, 'a/b/AGENTS.md': '3', 'a/AGENTS.md': '2', 'AGENTS.md': '1' });
  expect(contextOf(await w.systemPrompt({ cwd: 'a/b' }))).toBe(
    contextSection([w.path('AGENTS.md'), '1'], [w.path('a/AGENTS.md'), '2'], [w.path('a/b/AGENTS.md'), '3']),
  );
});

verifies('K16', 'the global directory’s one file comes before all others', async () => {
  const w = await workspace({
    '.git/': null,
    'AGENTS.md': 'project',
    '~/.config/kli/CLAUDE.md': 'global',
    '~/.config/kli/CLAUDE.MD': 'second global',
    '~/.config/AGENTS.md': 'above the global directory',
  });
  expect(contextOf(await w.systemPrompt())).toBe(
    contextSection([w.path('~/.config/kli/CLAUDE.md'), 'global'], [w.path('AGENTS.md'), 'project']),
  );
});

verifies('K16', 'XDG_CONFIG_HOME moves the global directory', async () => {
  const w = await workspace({ '.git/': null, '~/elsewhere/kli/AGENTS.md': 'moved', '~/.config/kli/AGENTS.md': 'left' });
  const system = await w.systemPrompt({ env: { XDG_CONFIG_HOME: w.path('~/elsewhere') } });
  expect(contextOf(system)).toBe(contextSection([w.path('~/elsewhere/kli/AGENTS.md'), 'moved']));
});

verifies('K17', 'a file that is both global and on the walk appears once, in the first place', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'root', 'kli/AGENTS.md': 'both' });
  const system = await w.systemPrompt({ cwd: 'kli', env: { XDG_CONFIG_HOME: w.project } });
  expect(contextOf(system)).toBe(contextSection([w.path('kli/AGENTS.md'), 'both'], [w.path('AGENTS.md'), 'root']));
});

verifies('K17', 'two links to one file give it once, copies are files of their own', async () => {
  const w = await workspace({
    '.git/': null,
    'shared.md': 'ONE',
    'AGENTS.md': { link: 'shared.md' },
    'a/AGENTS.md': { link: '../shared.md' },
    'a/b/AGENTS.md': 'ONE',
  });
  expect(contextOf(await w.systemPrompt({ cwd: 'a/b' }))).toBe(
    contextSection([w.path('shared.md'), 'ONE'], [w.path('a/b/AGENTS.md'), 'ONE']),
  );
});

verifies('K24', 'a context file of 2,097,152 bytes is sent whole, one byte more and it is absent', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'x'.repeat(CAP), 'a/AGENTS.md': 'small' });
  const whole = contextSection([w.path('AGENTS.md'), 'x'.repeat(CAP)], [w.path('a/AGENTS.md'), 'small']);
  expect(contextOf(await w.systemPrompt({ cwd: 'a' })) === whole).toBe(true);
  w.write('AGENTS.md', 'x'.repeat(CAP + 1));
  expect(contextOf(await w.systemPrompt({ cwd: 'a' }))).toBe(contextSection([w.path('a/AGENTS.md'), 'small']));
});

verifies('K24', 'the cap counts bytes, not characters', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'é'.repeat(CAP / 2 + 1) });
  expect(contextOf(await w.systemPrompt())).toBe('');
});

verifies('K25', 'over the cap, the next name of the directory is tried', async () => {
  const big = 'x'.repeat(CAP + 1);
  const w = await workspace({ '.git/': null, 'AGENTS.md': big, 'AGENTS.MD': big, 'CLAUDE.md': 'third' });
  expect(contextOf(await w.systemPrompt())).toBe(contextSection([w.path('CLAUDE.md'), 'third']));
});
