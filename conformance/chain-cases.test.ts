import { expect } from 'vitest';
import { FACETED, linesAbout } from './rig/faceted.ts';
import { git } from './rig/git.ts';
import { filesTold, history } from './rig/history.ts';
import { messagesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

for (const { harness } of FACETED) {
  verifies('C2', `${harness}: in a worktree inside the checkout each file comes once, the worktree’s`, async () => {
    const w = await workspace({ 'repo/AGENTS.md': 'RULE-A', 'repo/b/x.txt': 'x' }, { harness });
    git(w, 'repo', 'init', '-q');
    git(w, 'repo', 'add', '.');
    git(w, 'repo', 'commit', '-qm', 'first');
    git(w, 'repo', 'worktree', 'add', '-q', '.wt/feat');
    await w.print(['hello'], { cwd: 'repo/.wt/feat' });
    expect(filesTold(w)).toEqual([[['repo/.wt/feat/AGENTS.md', 'RULE-A']]]);
    w.write('repo/.wt/feat/AGENTS.md', 'RULE-B');
    await w.print(['hello'], { cwd: 'repo/.wt/feat' });
    expect(filesTold(w)).toEqual([[['repo/.wt/feat/AGENTS.md', 'RULE-B']]]);
    w.remove('repo/.wt/feat/AGENTS.md');
    await w.print(['hello'], { cwd: 'repo/.wt/feat/b' });
    expect(filesTold(w)).toEqual([[['repo/AGENTS.md', 'RULE-A']]]);
  });

  verifies('C2', `${harness}: a worktree that is entered later is in force while it is worked in`, async () => {
    const w = await workspace({ 'repo/AGENTS.md': 'RULE-A', 'repo/b/AGENTS.md': 'OTHER' }, { harness });
    git(w, 'repo', 'init', '-q');
    git(w, 'repo', 'add', '.');
    git(w, 'repo', 'commit', '-qm', 'first');
    git(w, 'repo', 'worktree', 'add', '-q', '.wt/feat');
    const session = w.stream([], { cwd: 'repo' });
    await session.carryOut({ type: 'pushd', path: '.wt/feat' });
    await session.prompt('one');
    await session.carryOut({ type: 'popd' });
    await session.prompt('two');
    await session.end();
    expect(filesTold(w)).toEqual([[['repo/.wt/feat/AGENTS.md', 'RULE-A']], [['repo/AGENTS.md', 'RULE-A']]]);
  });

  verifies(
    'C109',
    `${harness}: a file that others could plant above the project is not sent and is named`,
    async () => {
      const w = await workspace(
        { './': { mode: 0o777 }, 'AGENTS.md': 'PLANTED', 'u/AGENTS.md': 'ABOVE', 'u/job/AGENTS.md': 'MINE' },
        { harness },
      );
      const { stderr } = await w.print(['hello'], { cwd: 'u/job' });
      expect(filesTold(w)).toEqual([
        [
          ['u/AGENTS.md', 'ABOVE'],
          ['u/job/AGENTS.md', 'MINE'],
        ],
      ]);
      expect(linesAbout(w, stderr, 'AGENTS.md')).toHaveLength(1);
    },
  );

  verifies('C4', `${harness}: in a submodule the outer repository’s file is an ancestor’s`, async () => {
    const w = await workspace(
      {
        'super/.git/modules/sub/HEAD': 'ref: refs/heads/main\n',
        'super/.git/HEAD': 'ref: refs/heads/main\n',
        'super/AGENTS.md': 'FAMILY-1',
        'super/sub/.git': 'gitdir: ../.git/modules/sub\n',
        'super/sub/AGENTS.md': 'SUB-1',
      },
      { harness },
    );
    await w.print(['hello'], { cwd: 'super/sub' });
    expect(filesTold(w)).toEqual([
      [
        ['super/AGENTS.md', 'FAMILY-1'],
        ['super/sub/AGENTS.md', 'SUB-1'],
      ],
    ]);
  });

  verifies('C8', `${harness}: up to the cap a file comes to its last line, over it the person is told`, async () => {
    const text = `${'filler of forty kilobytes\n'.repeat(1_600)}TAIL-RULE-9`;
    const w = await workspace({ '.git/': null, 'AGENTS.md': text }, { harness });
    expect((await w.print(['hello'])).stderr).toBe('');
    expect(filesTold(w)).toEqual([[['AGENTS.md', text]]]);
    const cap = ['-c', `harnesses.${harness}.max_file_bytes=1000`];
    const { stderr } = await w.print([...cap, 'hello']);
    expect(filesTold(w)).toEqual([[['AGENTS.md', null]]]);
    expect(linesAbout(w, stderr, 'AGENTS.md')).toHaveLength(1);
    expect(stderr).toMatch(/41,?611\b/);
  });

  verifies(
    'C10',
    `${harness}: letter case loses no file; of two spellings the usual one counts, the other is named`,
    async () => {
      const spellings = ['agents.md', 'AGENTS.MD', 'Claude.md', 'CLAUDE.md'];
      const projects = spellings.map((name, index) => [`p${index}/${name}`, 'CASE-1'] as const);
      const w = await workspace({ ...Object.fromEntries(projects), 'both/agents.md': 'odd' }, { harness });
      w.write('both/AGENTS.md', 'usual');
      for (const [index, [path]] of projects.entries()) {
        await w.print(['hello'], { cwd: `p${index}` });
        expect(filesTold(w)).toEqual([[[path, 'CASE-1']]]);
      }
      await w.print(['hello'], { cwd: 'both' });
      expect(filesTold(w)).toEqual([[['both/AGENTS.md', 'usual']]]);
      const { stdout } = await w.run(['context'], { cwd: 'both' });
      expect(stdout).toContain('agents.md');
    },
  );

  verifies('C11', `${harness}: byte order marks decide the decoding, invalid bytes are replaced and told`, async () => {
    const utf16 = Buffer.from('\ufeffRULE-16', 'utf16le');
    const w = await workspace(
      {
        'le/AGENTS.md': utf16,
        'be/AGENTS.md': Buffer.from(utf16).swap16(),
        'mark/AGENTS.md': Buffer.from('\ufeffRULE-8'),
        'broken/AGENTS.md': Buffer.from([0x41, 0xc3, 0x28, 0x42]),
        'locked/AGENTS.md': { link: 'AGENTS.md' },
      },
      { harness },
    );
    const told: Record<string, unknown> = {};
    for (const cwd of ['le', 'be', 'mark', 'broken', 'locked']) {
      const { stderr } = await w.print(['hello'], { cwd });
      told[cwd] = [filesTold(w).flat(), linesAbout(w, stderr, `${cwd}/AGENTS.md`).length];
    }
    expect(told).toEqual({
      le: [[['le/AGENTS.md', 'RULE-16']], 0],
      be: [[['be/AGENTS.md', 'RULE-16']], 0],
      mark: [[['mark/AGENTS.md', 'RULE-8']], 0],
      broken: [[['broken/AGENTS.md', 'A\ufffd(B']], 1],
      locked: [[], 1],
    });
  });

  verifies(
    'C13',
    `${harness}: a link and its target are one file, a stub of a link stands for what it names`,
    async () => {
      const w = await workspace(
        {
          'link/AGENTS.md': 'ONE-1',
          'link/CLAUDE.md': { link: 'AGENTS.md' },
          'stub/AGENTS.md': 'CLAUDE.md',
          'stub/CLAUDE.md': 'ONE-1',
          'both/AGENTS.md': 'ONE-1',
          'both/CLAUDE.md': 'AGENTS.md',
          'same/AGENTS.md': 'ONE-1',
          'same/CLAUDE.md': 'ONE-1',
        },
        { harness },
      );
      for (const [cwd, path] of [
        ['link', 'link/AGENTS.md'],
        ['stub', 'stub/CLAUDE.md'],
        ['both', 'both/AGENTS.md'],
        ['same', 'same/AGENTS.md'],
      ] as const) {
        await w.print(['hello'], { cwd });
        expect(filesTold(w)).toEqual([[[path, 'ONE-1']]]);
      }
    },
  );
}

verifies(
  'C15',
  'rein: an edit waits for a reload, which brings the new text without touching the history',
  async () => {
    const w = await workspace({ '.git/': null, 'AGENTS.md': 'V1' }, { harness: 'rein' });
    const session = w.stream();
    await session.prompt('one');
    w.write('AGENTS.md', 'V2');
    await session.prompt('two');
    expect(session.lines.some((line) => JSON.stringify(line).includes('edited-since'))).toBe(true);
    await session.carryOut({ type: 'reload' });
    await session.prompt('three');
    await session.end();
    expect(history(w)).toEqual([
      ['files', ['AGENTS.md', 'V1']],
      ['user', 'one'],
      ['assistant', 'ok'],
      ['user', 'two'],
      ['assistant', 'ok'],
      ['files', ['AGENTS.md', 'V2']],
      ['user', 'three'],
    ]);
    const [, second, third] = w.requests().map(messagesOf);
    expect(third?.slice(0, second?.length)).toEqual(second);
  },
);

verifies('C15', 'polytoken: an edit brings nothing again, as its document says, and the person is told', async () => {
  const w = await workspace({ '.git/': null, 'AGENTS.md': 'V1' }, { harness: 'polytoken' });
  const session = w.stream();
  await session.prompt('one');
  w.write('AGENTS.md', 'V2');
  await session.prompt('two');
  expect(session.lines.some((line) => JSON.stringify(line).includes('edited-since'))).toBe(true);
  await session.carryOut({ type: 'reload' });
  await session.prompt('three');
  await session.end();
  expect(filesTold(w)).toEqual([[['AGENTS.md', 'V1']]]);
});
