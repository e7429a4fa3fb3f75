import { expect } from 'vitest';
import { contextSection } from './rig/kli-prompt.ts';
import { shippedBase } from './rig/shipped-base.ts';
import { systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const CAP = 2_097_152;

verifies('K18', 'SYSTEM.md is the whole prompt from byte 0, identity, tools and environment gone', async () => {
  const w = await workspace({ '.git/': null, '.kli/SYSTEM.md': ' Only this.\n' });
  expect(await w.systemPrompt()).toBe(' Only this.\n');
});

verifies('K19', 'under SYSTEM.md the context section still follows', async () => {
  const w = await workspace({ '.git/': null, '.kli/SYSTEM.md': 'MINE', 'AGENTS.md': 'RULES' });
  expect(await w.systemPrompt()).toBe(`MINE${contextSection([w.path('AGENTS.md'), 'RULES'])}`);
});

verifies('K20', 'APPEND_SYSTEM.md follows the base and comes before the context section', async () => {
  const w = await workspace({ '.git/': null, '.kli/APPEND_SYSTEM.md': 'ALSO\n', 'AGENTS.md': 'RULES' });
  const section = contextSection([w.path('AGENTS.md'), 'RULES']);
  expect(await w.systemPrompt()).toBe(`${await shippedBase(w)}\n\nALSO\n${section}`);
});

verifies('K20', 'APPEND_SYSTEM.md follows SYSTEM.md where there is one', async () => {
  const w = await workspace({ '.git/': null, '.kli/SYSTEM.md': 'MINE', '.kli/APPEND_SYSTEM.md': 'ALSO' });
  expect(await w.systemPrompt()).toBe('MINE\n\nALSO');
});

verifies('K21', 'the repository’s .kli comes before the global one, for each file by itself', async () => {
  const w = await workspace({
    '.git/': null,
    'a/': null,
    '.kli/SYSTEM.md': 'PROJECT SYSTEM',
    '~/.config/kli/SYSTEM.md': 'GLOBAL SYSTEM',
    '~/.config/kli/APPEND_SYSTEM.md': 'GLOBAL APPEND',
  });
  expect(await w.systemPrompt({ cwd: 'a' })).toBe('PROJECT SYSTEM\n\nGLOBAL APPEND');
  w.write('.kli/APPEND_SYSTEM.md', 'PROJECT APPEND');
  w.remove('.kli/SYSTEM.md');
  expect(await w.systemPrompt({ cwd: 'a' })).toBe('GLOBAL SYSTEM\n\nPROJECT APPEND');
});

verifies('K21', 'outside a repository the working directory’s .kli is the project’s', async () => {
  const w = await workspace({ '.kli/SYSTEM.md': 'ABOVE', 'a/.kli/SYSTEM.md': 'HERE' });
  expect(await w.systemPrompt({ cwd: 'a' })).toBe('HERE');
});

verifies('K21', 'a .kli nearer than the repository’s is named on stderr and not read', async () => {
  const w = await workspace({ '.git/': null, '.kli/SYSTEM.md': 'ROOT', 'a/.kli/SYSTEM.md': 'NEARER' });
  const { stderr } = await w.print(['hello'], { cwd: 'a' });
  expect(systemOf(w.requests()[0])).toBe('ROOT');
  expect(stderr.split('\n').filter((line) => line.includes(w.path('a/.kli')))).toHaveLength(1);
});

verifies('K22', 'a blank override file counts as absent and the search goes on', async () => {
  const w = await workspace({
    '.git/': null,
    '.kli/SYSTEM.md': ' \t\r\n\n',
    '.kli/APPEND_SYSTEM.md': '',
    '~/.config/kli/APPEND_SYSTEM.md': 'GLOBAL',
  });
  const base = await shippedBase(w);
  expect(await w.systemPrompt()).toBe(`${base}\n\nGLOBAL`);
  w.write('~/.config/kli/SYSTEM.md', 'GLOBAL SYSTEM');
  expect(await w.systemPrompt()).toBe('GLOBAL SYSTEM\n\nGLOBAL');
});

verifies('K23', 'the order is SYSTEM.md, APPEND_SYSTEM.md, project context, each layer whole', async () => {
  const w = await workspace({
    '.git/': null,
    '.kli/SYSTEM.md': 'ONE',
    '.kli/APPEND_SYSTEM.md': 'TWO',
    '~/.config/kli/AGENTS.md': 'THREE',
    'AGENTS.md': 'FOUR',
    'a/AGENTS.md': 'FIVE',
  });
  const section = contextSection(
    [w.path('~/.config/kli/AGENTS.md'), 'THREE'],
    [w.path('AGENTS.md'), 'FOUR'],
    [w.path('a/AGENTS.md'), 'FIVE'],
  );
  expect(await w.systemPrompt({ cwd: 'a' })).toBe(`ONE\n\nTWO${section}`);
});

verifies('K24', 'an override over the cap counts as absent and the global one is taken', async () => {
  const w = await workspace({
    '.git/': null,
    '.kli/SYSTEM.md': 'x'.repeat(CAP + 1),
    '~/.config/kli/SYSTEM.md': 'GLOBAL',
  });
  expect(await w.systemPrompt()).toBe('GLOBAL');
  w.write('.kli/SYSTEM.md', 'x'.repeat(CAP));
  expect((await w.systemPrompt()) === 'x'.repeat(CAP)).toBe(true);
});
