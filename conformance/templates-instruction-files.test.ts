import { expect } from 'vitest';
import { FACETED, facetFile, linesAbout } from './rig/faceted.ts';
import { filesTold, history } from './rig/history.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

for (const { harness, inside, user, keys, call } of FACETED) {
  const [key] = keys;

  verifies(
    'P30a',
    `${harness}: a file whose front matter says so is rendered in the chain, others are as written`,
    async () => {
      const plain = '---\ntitle: {{ facet_name }}\n---\n{{ facet_name }} {% raw %}\n\n  x';
      for (const each of keys) {
        const w = await workspace(
          {
            [`${user}/AGENTS.md`]: `---\n${each}:\n  note: a mapping\n---\nGLOBAL {{ facet_name }}`,
            '.git/': null,
            'AGENTS.md': `---\n${each}: true\n---\nROOT {{ facet_name }}{% if has_tool("skill") %} skills{% endif %}`,
            'a/AGENTS.md': plain,
            'a/b/AGENTS.md': `---\n${each}: false\n---\n{{ facet_name }}`,
          },
          { harness },
        );
        await w.print(['hello'], { cwd: 'a/b' });
        expect(filesTold(w)).toEqual([
          [
            [`${user}/AGENTS.md`, 'GLOBAL execute'],
            ['AGENTS.md', 'ROOT execute'],
            ['a/AGENTS.md', plain],
            ['a/b/AGENTS.md', `---\n${each}: false\n---\n{{ facet_name }}`],
          ],
        ]);
      }
    },
  );

  verifies('P30a', `${harness}: a chain that is sent again is rendered again`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': `---\n${key}: true\n---\nIn {{ facet_name }}`,
        'a/AGENTS.md': 'INNER',
        [`${inside}/facets/scribe.md`]: facetFile('scribe', 'WRITE'),
      },
      { harness },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.carryOut({ type: 'facet', to: 'scribe' });
    await session.prompt('two');
    await session.carryOut({ type: 'pushd', path: 'a' });
    await session.prompt('three');
    await session.end();
    expect(filesTold(w, 1)).toEqual([[['AGENTS.md', 'In execute']]]);
    expect(filesTold(w)).toEqual([
      [['AGENTS.md', 'In execute']],
      [
        ['AGENTS.md', 'In scribe'],
        ['a/AGENTS.md', 'INNER'],
      ],
    ]);
  });

  verifies('P30b', `${harness}: such a file is rendered when it is discovered`, async () => {
    const w = await workspace(
      { '.git/': null, 'a/AGENTS.md': `---\n${key}: true\n---\nIn {{ facet_name }}`, 'a/x.txt': 'x' },
      { harness, replies: callsThenDone([[call.read('a/x.txt')]]) },
    );
    await w.print(['go']);
    expect(filesTold(w)).toEqual([[['a/AGENTS.md', 'In execute']]]);
  });

  verifies('P30d', `${harness}: such a file is rendered anew at each start`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': `---\n${key}: true\n---\nIn {{ facet_name }} with {{ model_id }}`,
        [`${inside}/facets/scribe.md`]: facetFile('scribe', 'WRITE'),
      },
      { harness },
    );
    const preview = await w.run(['context', '--body', '--prompt', 'hello']);
    await w.print(['hello']);
    expect(preview.stdout.trimEnd()).toBe(w.requests()[0]?.body);
    await w.print(['--facet', 'scribe', '--model', 'other', 'hello']);
    expect([filesTold(w, 0), filesTold(w, 1)]).toEqual([
      [[['AGENTS.md', 'In execute with rehearsed']]],
      [[['AGENTS.md', 'In scribe with other']]],
    ]);
  });

  verifies(
    'P31',
    `${harness}: where the front matter or the render is broken the raw text is sent, and that is said`,
    async () => {
      const files = {
        'AGENTS.md': `---\n${key}: true\n---\nROOT {{ no_such_thing }}`,
        'a/AGENTS.md': `---\n${key}: [true\n  x: {\n---\nINNER {{ facet_name }}`,
        'a/b/AGENTS.md': `---\n${key}: true\n---\n{% if facet_name %}open`,
        'a/b/c/AGENTS.md': `---\n${key}: true\nnot closed {{ facet_name }}`,
      };
      const w = await workspace({ '.git/': null, ...files }, { harness });
      const { stderr } = await w.print(['hello'], { cwd: 'a/b/c' });
      expect(filesTold(w)).toEqual([Object.entries(files)]);
      for (const path of Object.keys(files)) expect([path, linesAbout(w, stderr, path).length]).toEqual([path, 1]);
      expect(linesAbout(w, stderr, 'AGENTS.md')[0]).toMatch(/AGENTS\.md:4\b.*no_such_thing/);
    },
  );

  verifies('P31', `${harness}: a discovered file that does not render comes raw`, async () => {
    const raw = `---\n${key}: true\n---\nINNER {{ no_such_thing }}`;
    const w = await workspace(
      { '.git/': null, 'a/AGENTS.md': raw, 'a/x.txt': 'x' },
      { harness, replies: callsThenDone([[call.read('a/x.txt')]]) },
    );
    await w.print(['go']);
    expect(filesTold(w)).toEqual([[['a/AGENTS.md', raw]]]);
  });

  verifies('P32', `${harness}: what was rendered is in the history alone`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': `---\n${key}: true\n---\nMARK-{{ facet_name }}`,
        'a/AGENTS.md': `---\n${key}: true\n---\nINNER-{{ facet_name }}`,
        'a/x.txt': 'x',
      },
      { harness, replies: callsThenDone([[call.read('a/x.txt')]]) },
    );
    const bare = await workspace({ '.git/': null }, { harness });
    const expected = (await bare.systemPrompt()).replaceAll(bare.project, w.project);
    await w.print(['go']);
    expect(w.requests().map(systemOf)).toEqual([expected, expected]);
    expect(history(w).filter(([kind]) => kind === 'files')).toEqual([
      ['files', ['AGENTS.md', 'MARK-execute']],
      ['files', ['a/AGENTS.md', 'INNER-execute']],
    ]);
  });
}
