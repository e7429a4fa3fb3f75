import { expect } from 'vitest';
import { FACETED, linesAbout } from './rig/faceted.ts';
import { filesTold, history, TAKEN_UP_AGAIN } from './rig/history.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { workspace } from './rig.ts';
import { verifies } from './verifies.ts';

for (const { harness, user, names, call } of FACETED) {
  verifies('P26', `${harness}: a file that a prompt links to follows it, once in a context`, async () => {
    const w = await workspace(
      { '.git/': null, 'docs/rules.md': 'RULES', 'docs/with space.md': 'SPACE', 'src/a.ts': 'CODE' },
      { harness },
    );
    const session = w.stream();
    await session.prompt('keep to @docs/rules.md, and look at @src/a.ts');
    await session.prompt('again @docs/rules.md (and @"docs/with space.md")');
    await session.carryOut({ type: 'clear' });
    await session.prompt('anew @docs/rules.md');
    await session.end();
    expect(history(w, 1)).toEqual([
      ['user', 'keep to @docs/rules.md, and look at @src/a.ts'],
      ['files', ['docs/rules.md', 'RULES']],
      ['assistant', 'ok'],
      ['user', 'again @docs/rules.md (and @"docs/with space.md")'],
      ['files', ['docs/with space.md', 'SPACE']],
    ]);
    expect(history(w, 2)).toEqual([
      ['user', 'anew @docs/rules.md'],
      ['files', ['docs/rules.md', 'RULES']],
    ]);
  });

  verifies('P26', `${harness}: files that the chain links to follow it, the chain’s own members do not`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': 'ROOT @docs/one.md @a/AGENTS.md @AGENTS.md',
        'docs/one.md': 'ONE @two.md',
        'docs/two.md': 'TWO',
        'a/AGENTS.md': 'INNER @local.md @docs/one.md',
        'a/local.md': 'LOCAL',
      },
      { harness },
    );
    await w.print(['hello'], { cwd: 'a' });
    await w.print(['--continue', 'again @docs/two.md'], { cwd: 'a' });
    expect(history(w)).toEqual([
      [
        'files',
        ['AGENTS.md', 'ROOT @docs/one.md @a/AGENTS.md @AGENTS.md'],
        ['a/AGENTS.md', 'INNER @local.md @docs/one.md'],
      ],
      ['files', ['docs/one.md', 'ONE @two.md']],
      ['files', ['a/local.md', 'LOCAL']],
      ['files', ['docs/two.md', 'TWO']],
      ['user', 'hello'],
      ['assistant', 'ok'],
      TAKEN_UP_AGAIN,
      ['user', 'again @docs/two.md'],
    ]);
  });

  verifies('P26', `${harness}: files that a discovered file links to follow it behind the batch`, async () => {
    const w = await workspace(
      { '.git/': null, 'a/AGENTS.md': 'INNER @more.md', 'a/more.md': 'MORE', 'a/x.txt': 'x' },
      { harness, replies: callsThenDone([[call.read('a/x.txt')], [call.read('a/x.txt')]]) },
    );
    await w.print(['go']);
    expect(history(w)).toEqual([
      ['user', 'go'],
      ['call', names.read],
      ['result'],
      ['files', ['a/AGENTS.md', 'INNER @more.md']],
      ['files', ['a/more.md', 'MORE']],
      ['call', names.read],
      ['result'],
    ]);
  });

  verifies('P26', `${harness}: a linked file that a call read whole is not sent again`, async () => {
    const w = await workspace(
      { '.git/': null, 'docs/rules.md': 'RULES' },
      { harness, replies: [...callsThenDone([[call.read('docs/rules.md')]]), { text: 'ok' }] },
    );
    const session = w.stream();
    await session.prompt('read the rules');
    await session.prompt('keep to @docs/rules.md');
    await session.end();
    expect(filesTold(w)).toEqual([]);
  });

  verifies('C17', `${harness}: nothing in code is a link, and the text passes unchanged`, async () => {
    const text = [
      'Run `@docs/a.md` or ``x ` @docs/a.md``:',
      '',
      '```sh',
      'npx -y @acme/tool-mcp@latest @docs/a.md',
      '```',
      '',
      '~~~',
      '@docs/a.md',
      '```',
      '~~~',
      '',
      '    indented @docs/a.md',
      '',
      '<!-- @docs/a.md -->',
    ].join('\n');
    const w = await workspace({ '.git/': null, 'GEMINI.md': text, 'docs/a.md': 'A' }, { harness });
    expect((await w.print(['hello'])).stderr).toBe('');
    expect(filesTold(w)).toEqual([[['GEMINI.md', text]]]);
  });

  verifies('C18', `${harness}: words that begin with @ are no links; a missing text file is told once`, async () => {
    const lines = [
      'use @param and @returns',
      'install @acme/cli',
      'see @overload',
      'write to ops@example.test or docs@real.md',
      '\\@real.md is no import',
      '@2x.png',
      'but @gone/rules.md was meant',
    ];
    const w = await workspace({ '.git/': null, 'AGENTS.md': lines.join('\n'), 'real.md': 'REAL' }, { harness });
    const { stderr } = await w.print(['hello']);
    expect(filesTold(w)).toEqual([[['AGENTS.md', lines.join('\n')]]]);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(linesAbout(w, stderr, 'AGENTS.md')[0]).toMatch(/AGENTS\.md:7\b.*gone\/rules\.md/);
  });

  verifies('C21', `${harness}: links stand in lists and before full stops; ~ needs a trusted project`, async () => {
    const text = '- @~/.agentcfg/me.md\n* @./x.md.\n';
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': text, 'x.md': 'X', '~/.agentcfg/me.md': 'HOME-1' },
      { harness },
    );
    const { stderr } = await w.print(['hello']);
    expect(filesTold(w).slice(1)).toEqual([[['x.md', 'X']]]);
    const warned = linesAbout(w, stderr, 'AGENTS.md');
    expect(warned).toHaveLength(1);
    expect(warned[0]).toMatch(/AGENTS\.md:1\b.*trust/);
    await w.print(['--trust', 'hello']);
    expect(filesTold(w).slice(1)).toEqual([[['~/.agentcfg/me.md', 'HOME-1']], [['x.md', 'X']]]);
  });

  verifies('C21', `${harness}: the user’s own file links to the home without being asked`, async () => {
    const w = await workspace(
      { '.git/': null, [`${user}/AGENTS.md`]: '+ @~/.agentcfg/me.md', '~/.agentcfg/me.md': 'HOME-1' },
      { harness },
    );
    await w.print(['hello']);
    expect(filesTold(w).slice(1)).toEqual([[['~/.agentcfg/me.md', 'HOME-1']]]);
  });

  verifies('C21', `${harness}: no way of writing it leads a project’s file out of the project`, async () => {
    const w = await workspace(
      {
        'outside.md': 'OUT',
        'repo/.git/': null,
        'repo/linked.md': { link: '../outside.md' },
        'repo/AGENTS.md': '@../outside.md\n@linked.md\n@a/../../outside.md\n',
      },
      { harness },
    );
    await w.print(['hello'], { cwd: 'repo' });
    expect(filesTold(w)).toHaveLength(1);
    await w.print(['hello @../outside.md'], { cwd: 'repo' });
    expect(filesTold(w).slice(1)).toEqual([[['outside.md', 'OUT']]]);
  });

  verifies('C24', `${harness}: a chain of links ends at a limit that is told`, async () => {
    const chain = Object.fromEntries(
      Array.from({ length: 12 }, (_, index) => [`f${index}.md`, `F${index} @f${index + 1}.md`]),
    );
    const w = await workspace({ '.git/': null, ...chain, 'f12.md': 'F12', 'AGENTS.md': 'ROOT @f0.md' }, { harness });
    for (const prompt of ['hello', 'go @f0.md']) {
      const { stderr } = await w.print([prompt]);
      expect(filesTold(w).slice(1).flat()).toEqual(
        [0, 1, 2, 3, 4].map((index) => [`f${index}.md`, `F${index} @f${index + 1}.md`]),
      );
      expect(stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(linesAbout(w, stderr, 'f4.md')).toHaveLength(1);
    }
  });

  verifies('C24', `${harness}: a cycle is broken with one warning, a diamond comes once`, async () => {
    const w = await workspace(
      {
        'cycle/AGENTS.md': 'START @a.md',
        'cycle/a.md': 'A @b.md',
        'cycle/b.md': 'B @a.md',
        'diamond/AGENTS.md': 'START @x.md',
        'diamond/x.md': 'X @p.md @q.md',
        'diamond/p.md': 'P @z.md',
        'diamond/q.md': 'Q @z.md',
        'diamond/z.md': 'Z',
      },
      { harness },
    );
    const cycle = await w.print(['hello'], { cwd: 'cycle' });
    expect(filesTold(w).flat()).toEqual([
      ['cycle/AGENTS.md', 'START @a.md'],
      ['cycle/a.md', 'A @b.md'],
      ['cycle/b.md', 'B @a.md'],
    ]);
    expect(cycle.stderr.trimEnd().split('\n')).toHaveLength(1);
    const diamond = await w.print(['hello'], { cwd: 'diamond' });
    expect(
      filesTold(w)
        .flat()
        .map(([path]) => path),
    ).toEqual(['AGENTS.md', 'x.md', 'p.md', 'q.md', 'z.md'].map((name) => `diamond/${name}`));
    expect(diamond.stderr).toBe('');
  });
}
