import { expect } from 'vitest';
import { contextSection } from './rig/kli-prompt.ts';
import { systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

verifies(
  'K26',
  'files created, edited and deleted between two prompts change the next one, nothing is reloaded',
  async () => {
    const w = await workspace({ '.git/': null, '.kli/SYSTEM.md': 'S1', 'a/': null });
    const session = w.stream([], { cwd: 'a' });
    await session.prompt('one');
    w.write('AGENTS.md', 'ROOT-1');
    await session.prompt('two: a file was created');
    w.write('AGENTS.md', 'ROOT-2');
    await session.prompt('three: it was edited, its size the same');
    w.write('a/CLAUDE.md', 'INNER');
    w.write('.kli/SYSTEM.md', 'S2');
    await session.prompt('four: a deeper one, and the override');
    w.remove('AGENTS.md');
    w.remove('.kli/SYSTEM.md');
    w.write('.kli/SYSTEM.md', 'S3');
    w.write('.kli/APPEND_SYSTEM.md', 'APPEND');
    await session.prompt('five: deleted, appended');
    await session.end();
    w.write('AGENTS.md', '');
    const root = w.path('AGENTS.md');
    const inner = w.path('a/CLAUDE.md');
    expect(w.requests().map(systemOf)).toEqual([
      'S1',
      `S1${contextSection([root, 'ROOT-1'])}`,
      `S1${contextSection([root, 'ROOT-2'])}`,
      `S2${contextSection([root, 'ROOT-2'], [inner, 'INNER'])}`,
      `S3\n\nAPPEND${contextSection([inner, 'INNER'])}`,
    ]);
  },
);

verifies(
  'K26',
  'a file changed by the model’s own tool is new with the next message, not within the turn',
  async () => {
    const write = JSON.stringify({ path: 'AGENTS.md', content: 'WRITTEN' });
    const w = await workspace(
      { '.git/': null, '.kli/SYSTEM.md': 'S' },
      { replies: [{ calls: [{ name: 'write', arguments: write }] }, { text: 'ok', repeat: true }] },
    );
    const session = w.stream(['--permission-mode', 'yolo']);
    await session.prompt('one');
    await session.prompt('two');
    await session.end();
    expect(w.requests().map(systemOf)).toEqual(['S', 'S', `S${contextSection([w.path('AGENTS.md'), 'WRITTEN'])}`]);
  },
);

verifies(
  'K27',
  'after many rebuilds there is one append block and one section, as composed from the files of now',
  async () => {
    const w = await workspace({ '.git/': null, '.kli/APPEND_SYSTEM.md': 'APPEND 0', 'AGENTS.md': 'RULES 0' });
    const session = w.stream();
    for (let round = 0; round < 4; round += 1) {
      w.write('.kli/APPEND_SYSTEM.md', `APPEND ${round}`);
      w.write('AGENTS.md', `RULES ${round}`);
      await session.prompt(`round ${round}`);
    }
    w.remove('.kli/APPEND_SYSTEM.md');
    w.remove('AGENTS.md');
    await session.prompt('bare');
    await session.end();
    const prompts = w.requests().map(systemOf);
    const base = prompts.at(-1) ?? '';
    expect(base.includes('APPEND') || base.includes('# Project Context')).toBe(false);
    w.write('AGENTS.md', '');
    const expected = [0, 1, 2, 3].map(
      (round) => `${base}\n\nAPPEND ${round}${contextSection([w.path('AGENTS.md'), `RULES ${round}`])}`,
    );
    expect(prompts).toEqual([...expected, base]);
  },
);

verifies('K27', 'a resumed session composes from the files of now', async () => {
  const w = await workspace({ '.git/': null, '.kli/SYSTEM.md': 'S1', 'AGENTS.md': 'RULES 1' });
  await w.print(['one']);
  w.write('.kli/SYSTEM.md', 'S2');
  w.write('AGENTS.md', 'RULES 2');
  await w.print(['--continue', 'two']);
  const section = (round: number) => contextSection([w.path('AGENTS.md'), `RULES ${round}`]);
  expect(w.requests().map(systemOf)).toEqual([`S1${section(1)}`, `S2${section(2)}`]);
});
