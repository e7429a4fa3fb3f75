import { expect } from 'vitest';
import { contextSection } from './rig/kli-prompt.ts';
import { shippedBase } from './rig/shipped-base.ts';
import { systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

verifies('C25', 'a repeated append flag keeps every value, in order, files among texts', async () => {
  for (const harness of ['kli', 'rein']) {
    const w = await workspace({ '.git/': null, '~/two.md': 'TWO\n' }, { harness });
    const bare = await w.systemPrompt();
    const args = ['--append-system-prompt', 'ONE', '--append-system-prompt-file', w.path('~/two.md')];
    const system = await w.systemPrompt({ args: [...args, '--append-system-prompt', 'THREE'] });
    expect(system).toBe(`${bare}\n\nONE\n\nTWO\n\n\nTHREE`);
  }
});

verifies(
  'C26',
  'the append file of the project comes before the global one, and a flag is added to either',
  async () => {
    const w = await workspace({ '.git/': null }, { harness: 'rein' });
    const bare = await w.systemPrompt();
    w.write('~/.config/rein/APPEND_SYSTEM.md', 'GLOBAL');
    expect(await w.systemPrompt()).toBe(`${bare}\n\nGLOBAL`);
    w.write('.rein/APPEND_SYSTEM.md', 'PROJECT');
    expect(await w.systemPrompt()).toBe(`${bare}\n\nPROJECT`);
    expect(await w.systemPrompt({ args: ['--append-system-prompt', 'FLAG'] })).toBe(`${bare}\n\nPROJECT\n\nFLAG`);
  },
);

verifies('C26', 'a misspelt configuration folder is hinted at with the right spelling', async () => {
  const w = await workspace({ '.git/': null, '.Rein/APPEND_SYSTEM.md': 'LOST' }, { harness: 'rein' });
  const { stderr } = await w.print(['hello']);
  expect(systemOf(w.requests()[0])).toBe(await shippedBase(w));
  const hints = stderr.split('\n').filter((line) => line.includes('.Rein'));
  expect(hints).toHaveLength(1);
  expect(hints[0]).toMatch(/\.rein/);
});

verifies('C28', 'a system prompt of the command line holds for its run only, on a resumed session too', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'RULES' });
  await w.print(['--system-prompt', 'say ALPHA', 'one']);
  await w.print(['--continue', '--system-prompt', 'say BETA', 'two']);
  const { stderr } = await w.print(['--continue', 'three']);
  expect(stderr.split('\n').filter((line) => line.includes('--system-prompt'))).toHaveLength(1);
  const section = contextSection([w.path('AGENTS.md'), 'RULES']);
  expect(w.requests().map(systemOf)).toEqual([
    `say ALPHA${section}`,
    `say BETA${section}`,
    `${await shippedBase(w)}${section}`,
  ]);
});

verifies('C28', 'the same flag gives the same bytes on each run', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'rein' });
  await w.print(['--append-system-prompt', 'ALSO', 'one']);
  await w.print(['--continue', '--append-system-prompt', 'ALSO', 'two']);
  const [first, second] = w.requests().map(systemOf);
  expect(second).toBe(first);
});

verifies('C29', 'a path given where text is wanted is read, and a line says so', async () => {
  const w = await workspace({ '.git/': null, 'rules.txt': 'FROM A FILE' });
  const { stderr } = await w.print(['--append-system-prompt', './rules.txt', 'hello']);
  expect(systemOf(w.requests()[0])).toBe(`${await shippedBase(w)}\n\nFROM A FILE`);
  expect(stderr.split('\n').filter((line) => line.includes(w.path('rules.txt')))).toHaveLength(1);
});

verifies('C29', 'a path that cannot be read ends the run with one line and exit code 2, before a request', async () => {
  const w = await workspace({
    '.git/': null,
    'folder.txt/': null,
    'loop.txt': { link: 'loop.txt' },
    'gone.txt': { link: 'x' },
  });
  for (const path of ['./missing.txt', './folder.txt', './loop.txt', './gone.txt']) {
    for (const option of ['--append-system-prompt', '--system-prompt', '--append-system-prompt-file']) {
      const { code, stdout, stderr } = await w.run(['-p', option, path, 'hello']);
      expect({ path, option, code, stdout, lines: stderr.trim().split('\n').length }).toEqual({
        path,
        option,
        code: 2,
        stdout: '',
        lines: 1,
      });
      expect(stderr).toContain(w.path(path));
    }
  }
  expect(w.requests()).toEqual([]);
});

verifies('C29', 'text that only mentions a path stays text', async () => {
  const w = await workspace({ '.git/': null, 'rules.txt': 'FROM A FILE' });
  const text = 'Read ./rules.txt first.';
  expect(await w.systemPrompt({ args: ['--system-prompt', text] })).toBe(text);
});
