import { expect } from 'vitest';
import { FACETED, facetFile, linesAbout } from './rig/faceted.ts';
import { filesTold, history } from './rig/history.ts';
import { callsThenDone, resultsOf } from './rig/tool-results.ts';
import { systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const CAP = 64 * 1024;

for (const { harness, inside, keys, call } of FACETED) {
  const [key] = keys;

  verifies(
    'P16',
    `${harness}: where the preferred name is no file that can be read, the next one is taken`,
    async () => {
      const w = await workspace(
        {
          '.git/': null,
          'AGENTS.md/': null,
          'CLAUDE.md': { link: 'CLAUDE.md' },
          'GEMINI.md': 'THIRD',
          'a/AGENTS.md': { link: '/dev/zero' },
          'a/CLAUDE.md': 'SECOND',
        },
        { harness },
      );
      const { stderr } = await w.print(['hello'], { cwd: 'a' });
      expect(filesTold(w)).toEqual([
        [
          ['GEMINI.md', 'THIRD'],
          ['a/CLAUDE.md', 'SECOND'],
        ],
      ]);
      for (const path of ['CLAUDE.md', 'a/AGENTS.md'])
        expect([path, linesAbout(w, stderr, path).length]).toEqual([path, 1]);
    },
  );

  verifies('P18', `${harness}: a directory of the stack that lies elsewhere brings its own file alone`, async () => {
    const w = await workspace(
      {
        'repo/.git/': null,
        'repo/AGENTS.md': 'ROOT',
        'other/AGENTS.md': 'BESIDE',
        'other/in/AGENTS.md': 'THERE',
        'other/in/copy/AGENTS.md': { link: '../AGENTS.md' },
      },
      { harness },
    );
    const session = w.stream([], { cwd: 'repo' });
    for (const path of ['../other/in', '../../repo', '../other/in/copy'])
      await session.carryOut({ type: 'pushd', path });
    await session.prompt('one');
    await session.end();
    expect(filesTold(w)).toEqual([
      [
        ['repo/AGENTS.md', 'ROOT'],
        ['other/in/AGENTS.md', 'THERE'],
      ],
    ]);
  });

  verifies('P22', `${harness}: an edit that empties a file, and one that fills it again, bring nothing`, async () => {
    const w = await workspace({ '.git/': null, 'AGENTS.md': 'ROOT', 'a/AGENTS.md': 'INNER' }, { harness });
    const session = w.stream([], { cwd: 'a' });
    await session.prompt('one');
    w.write('a/AGENTS.md', '\n');
    await session.prompt('two');
    expect(session.lines.some((line) => JSON.stringify(line).includes('edited-since'))).toBe(true);
    w.write('a/AGENTS.md', 'INNER again');
    await session.prompt('three');
    const before = [
      [
        ['AGENTS.md', 'ROOT'],
        ['a/AGENTS.md', 'INNER'],
      ],
    ];
    expect(filesTold(w)).toEqual(before);
    w.write('a/AGENTS.md', '');
    await session.carryOut({ type: 'reload' });
    await session.prompt('four');
    await session.end();
    expect(filesTold(w)).toEqual(harness === 'rein' ? [...before, [['a/AGENTS.md', '']]] : before);
  });

  verifies(
    'P60',
    `${harness}: a file that is blank joins with its first words; beside it the next name counts`,
    async () => {
      const w = await workspace(
        {
          '.git/': null,
          'AGENTS.md': ' \n',
          'CLAUDE.md': 'ROOT',
          'a/AGENTS.md': '',
          'b/AGENTS.md': '\n',
          'b/x.txt': 'x',
        },
        { harness, replies: [...callsThenDone([[call.read('../b/x.txt')]]), { text: 'ok', repeat: true }] },
      );
      const session = w.stream([], { cwd: 'a' });
      await session.prompt('one');
      w.write('a/AGENTS.md', 'INNER');
      await session.prompt('two');
      await session.end();
      expect(filesTold(w)).toEqual([
        [['CLAUDE.md', 'ROOT']],
        [
          ['CLAUDE.md', 'ROOT'],
          ['a/AGENTS.md', 'INNER'],
        ],
      ]);
    },
  );

  verifies('P23', `${harness}: a change, and each of several places of one search, discovers files`, async () => {
    const edit: readonly [string, Record<string, unknown>] =
      harness === 'rein'
        ? ['edit', { path: 'e/x.txt', edits: [{ old: 'x', new: 'y' }] }]
        : ['file_edit_search_replace', { path: 'e/x.txt', search: 'x', replace: 'y' }];
    const w = await workspace(
      {
        '.git/': null,
        ...Object.fromEntries(['e', 'f', 'g'].map((name) => [`${name}/AGENTS.md`, name.toUpperCase()])),
        ...Object.fromEntries(['e', 'f', 'g'].map((name) => [`${name}/x.txt`, 'x'])),
      },
      {
        harness,
        replies: callsThenDone([
          [call.read('e/x.txt')],
          [edit],
          harness === 'rein'
            ? [call.grep('x', 'g'), call.grep('x', 'f')]
            : [['grep', { pattern: 'x', path: ['g', 'f'] }]],
        ]),
      },
    );
    await w.print(['--permission-mode', 'yolo', 'go']);
    expect(resultsOf(w)[1]).toMatch(/Edited|1 replacement/);
    expect(filesTold(w)).toEqual([[['e/AGENTS.md', 'E']], [['f/AGENTS.md', 'F']], [['g/AGENTS.md', 'G']]]);
  });

  verifies(
    'P24',
    `${harness}: a read that failed or was refused gave nothing: the file follows when it can`,
    async () => {
      const w = await workspace(
        { '.git/': null, 'a/AGENTS.md': 'INNER', 'a/x.txt': 'x' },
        {
          harness,
          replies: callsThenDone([[call.read('a/AGENTS.md')], [call.read('a/x.txt')]]),
        },
      );
      const deny = ['-c', `permissions.deny=${JSON.stringify(['read(a/AGENTS.md)'])}`];
      await w.print(['--permission-mode', 'yolo', ...deny, 'go']);
      expect(filesTold(w, 1)).toEqual([]);
      expect(filesTold(w)).toEqual([[['a/AGENTS.md', 'INNER']]]);
    },
  );

  verifies(
    'P24',
    `${harness}: a read by another name of the file counts, in the same batch or an earlier one`,
    async () => {
      const w = await workspace(
        {
          '.git/': null,
          'a/AGENTS.md': 'INNER',
          'a/x.txt': 'x',
          'rules.md': { link: 'a/AGENTS.md' },
          'b/AGENTS.md': 'OTHER',
          'b/x.txt': 'x',
        },
        {
          harness,
          replies: callsThenDone([
            [call.read('rules.md')],
            [call.read('a/x.txt'), call.read('b/x.txt'), call.read('b/AGENTS.md')],
          ]),
        },
      );
      await w.print(['go']);
      expect(filesTold(w)).toEqual([]);
    },
  );

  verifies('P25', `${harness}: linked and then touched, or discovered and then linked, it comes once`, async () => {
    const w = await workspace(
      { '.git/': null, 'a/AGENTS.md': 'A', 'a/x.txt': 'x', 'b/AGENTS.md': 'B', 'b/x.txt': 'x' },
      { harness, replies: [...callsThenDone([[call.read('a/x.txt'), call.read('b/x.txt')]]), { text: 'ok' }] },
    );
    const session = w.stream();
    await session.prompt('go @a/AGENTS.md');
    await session.prompt('again @b/AGENTS.md @a/AGENTS.md');
    await session.end();
    expect(filesTold(w)).toEqual([[['a/AGENTS.md', 'A']], [['b/AGENTS.md', 'B']]]);
  });

  verifies('P26', `${harness}: a message that steers brings what it links to, once`, async () => {
    const w = await workspace(
      { '.git/': null, 'docs/rules.md': 'RULES' },
      { harness, replies: [...callsThenDone([[call.shell('sleep 1')]]), { text: 'ok' }] },
    );
    const session = w.stream(['--permission-mode', 'yolo']);
    session.send({ type: 'prompt', text: 'one' });
    await session.until((line) => line.type === 'assistant');
    session.send({ type: 'steer', text: 'mind @docs/rules.md' });
    await session.until((line) => line.type === 'turn-end');
    await session.prompt('two @docs/rules.md');
    await session.end();
    expect(history(w)).toEqual([
      ['user', 'one'],
      ['call', call.shell('')[0]],
      ['result'],
      ['user', 'mind @docs/rules.md'],
      ['files', ['docs/rules.md', 'RULES']],
      ['assistant', 'done'],
      ['user', 'two @docs/rules.md'],
    ]);
  });

  verifies(
    'P27',
    `${harness}: the bound holds to the byte, and for what a template makes of a small file`,
    async () => {
      const bomb = `---\n${key}: true\n---\n{% for n in range(9000) %}flooding {% endfor %}`;
      const w = await workspace(
        {
          '.git/': null,
          'AGENTS.md': 'é'.repeat(CAP / 2),
          'a/AGENTS.md': bomb,
          'a/d/AGENTS.md': 'x'.repeat(CAP),
          'a/d/x.txt': 'x',
          'a/e/AGENTS.md': bomb,
          'a/e/x.txt': 'x',
        },
        { harness, replies: callsThenDone([[call.read('d/x.txt'), call.read('e/x.txt')]]) },
      );
      const { stderr } = await w.print(['go'], { cwd: 'a' });
      expect(filesTold(w)).toEqual([
        [
          ['AGENTS.md', 'é'.repeat(CAP / 2)],
          ['a/AGENTS.md', null],
        ],
        [['a/d/AGENTS.md', 'x'.repeat(CAP)]],
        [['a/e/AGENTS.md', null]],
      ]);
      for (const path of ['a/AGENTS.md', 'a/e/AGENTS.md'])
        expect([path, linesAbout(w, stderr, path).length]).toEqual([path, 1]);
    },
  );

  verifies(
    'P31',
    `${harness}: a template without end, one that fails deep inside and a bomb of aliases come raw`,
    async () => {
      const files = {
        'AGENTS.md': `---\n${key}: true\n---\n{% for a in range(1000000000) %}{{ a }}{% endfor %}`,
        'a/AGENTS.md': `---\n${key}: true\n---\n{% macro m(n) %}{{ m(n) }}{% endmacro %}{{ m(1) }}`,
        'a/b/AGENTS.md': `---\n${key}: true\n---\n{% for a in range(9999) %}{% for b in range(9999) %}{% for c in range(9999) %}{% endfor %}{% endfor %}{% endfor %}`,
        'a/b/c/AGENTS.md': `---\na: &a [x,x,x,x,x,x,x,x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b]\nd: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c]\n${key}: true\n---\n{{ facet_name }}`,
        'a/b/c/d/AGENTS.md': `---\n${key}: true\n---\n{{ transclude("x.md") }}`,
        'a/b/c/d/e/AGENTS.md': `---\n${key}: true\n---\n{{ prompt.text }}`,
      };
      const w = await workspace({ '.git/': null, ...files }, { harness });
      const { stderr } = await w.print(['hello'], { cwd: 'a/b/c/d/e' });
      expect(filesTold(w)).toEqual([Object.entries(files)]);
      for (const path of Object.keys(files)) expect([path, linesAbout(w, stderr, path).length]).toEqual([path, 1]);
    },
  );

  verifies('P60', `${harness}: a queued prompt starts a turn of its own, with who joined since`, async () => {
    const w = await workspace(
      { '.git/': null },
      { harness, replies: [...callsThenDone([[call.shell('echo JOINED > AGENTS.md; sleep 1')]]), { text: 'ok' }] },
    );
    const session = w.stream(['--permission-mode', 'yolo']);
    session.send({ type: 'prompt', text: 'one' });
    session.send({ type: 'prompt', text: 'two' });
    await session.until((line) => line.type === 'turn-end');
    await session.until((line) => line.type === 'turn-end');
    await session.end();
    expect(history(w)).toEqual([
      ['user', 'one'],
      ['call', call.shell('')[0]],
      ['result'],
      ['assistant', 'done'],
      ['files', ['AGENTS.md', 'JOINED']],
      ['user', 'two'],
    ]);
  });

  verifies(
    'P59',
    `${harness}: a reload within a turn holds from the next one; a facet that is gone sends nothing`,
    async () => {
      const facet = `${inside}/facets/scribe.md`;
      const w = await workspace(
        { '.git/': null, [facet]: facetFile('scribe', 'V1') },
        { harness, replies: [...callsThenDone([[call.shell('sleep 1')]]), { text: 'ok', repeat: true }] },
      );
      const session = w.stream(['--permission-mode', 'yolo', '--facet', 'scribe']);
      session.send({ type: 'prompt', text: 'one' });
      await session.until((line) => line.type === 'assistant');
      w.write(facet, facetFile('scribe', 'V2'));
      await session.carryOut({ type: 'reload' });
      await session.prompt('two');
      w.remove(facet);
      await session.carryOut({ type: 'reload' });
      session.send({ type: 'prompt', text: 'three' });
      const error = await session.until((line) => line.type === 'error');
      expect(JSON.stringify(error)).toMatch(/facet.*scribe/);
      await session.carryOut({ type: 'facet', to: 'execute' });
      await session.prompt('four');
      await session.end();
      const systems = w.requests().map(systemOf);
      expect(systems.slice(0, -1)).toEqual(['V1', 'V1', 'V2']);
      expect(systems.at(-1)).not.toBe('V2');
    },
  );
}
