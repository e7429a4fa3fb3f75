import { expect } from 'vitest';
import { FACETED, linesAbout } from './rig/faceted.ts';
import { filesTold, history } from './rig/history.ts';
import { callsThenDone, resultsOf } from './rig/tool-results.ts';
import { messagesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const OVER = 'x'.repeat(64 * 1024 + 1);

for (const { harness, names, call } of FACETED) {
  verifies('P23', `${harness}: a file of a directory that a batch touched follows the whole batch`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'AGENTS.md': 'ROOT',
        'top.txt': 'top',
        'a/AGENTS.md': 'A',
        'a/b/CLAUDE.md': 'B',
        'a/b/x.txt': 'x',
        'a/c/AGENTS.md': 'UNTOUCHED',
        'z/AGENTS.md': 'Z',
        'z/x.txt': 'x',
      },
      {
        harness,
        replies: callsThenDone([[call.read('a/b/x.txt'), call.read('top.txt'), call.grep('x', 'z')]]),
      },
    );
    await w.print(['go']);
    expect(history(w)).toEqual([
      ['files', ['AGENTS.md', 'ROOT']],
      ['user', 'go'],
      ['call', names.read, names.read, names.grep],
      ['result'],
      ['result'],
      ['result'],
      ['files', ['a/AGENTS.md', 'A']],
      ['files', ['z/AGENTS.md', 'Z']],
      ['files', ['a/b/CLAUDE.md', 'B']],
    ]);
  });

  verifies('P23', `${harness}: writing and listing discover files, too`, async () => {
    const w = await workspace(
      {
        '.git/': null,
        'w/AGENTS.md': 'W',
        'g/AGENTS.md': 'G',
        'g/x.txt': 'x',
      },
      {
        harness,
        replies: callsThenDone([[call.write('w/new.txt', 'new')], [call.glob('*.txt', 'g')]]),
      },
    );
    await w.print(['--permission-mode', 'yolo', 'go']);
    expect(filesTold(w, 1)).toEqual([[['w/AGENTS.md', 'W']]]);
    expect(filesTold(w, 2)).toEqual([[['w/AGENTS.md', 'W']], [['g/AGENTS.md', 'G']]]);
  });

  verifies('P23', `${harness}: nothing outside the project is discovered, nor by a call that was refused`, async () => {
    const w = await workspace(
      {
        'repo/.git/': null,
        'repo/secret/AGENTS.md': 'SECRET',
        'repo/secret/x.txt': 'x',
        'repo/link': { link: '../other' },
        'other/AGENTS.md': 'OTHER',
        'other/x.txt': 'x',
      },
      {
        harness,
        replies: callsThenDone([[call.read('../other/x.txt')], [call.read('secret/x.txt')], [call.read('link/x.txt')]]),
      },
    );
    const deny = ['-c', `permissions.deny=${JSON.stringify(['read(secret/**)'])}`];
    await w.print(['--permission-mode', 'yolo', ...deny, 'go'], { cwd: 'repo' });
    expect(filesTold(w)).toEqual([]);
  });

  verifies('P24', `${harness}: a file that the batch itself read whole comes no second time`, async () => {
    const w = await workspace(
      { '.git/': null, 'a/AGENTS.md': 'INNER-1\nINNER-2\n', 'a/x.txt': 'x' },
      {
        harness,
        replies: callsThenDone([[call.read('a/x.txt'), call.read('a/AGENTS.md')], [call.read('a/x.txt')]]),
      },
    );
    await w.print(['go']);
    expect(filesTold(w)).toEqual([]);
    expect(resultsOf(w)[1]).toMatch(/INNER-1\n.*INNER-2/);
    const sent = JSON.stringify(messagesOf(w.requests().at(-1)));
    expect(sent.split('INNER-2')).toHaveLength(2);
  });

  verifies('P24', `${harness}: a file that was read in part is delivered whole`, async () => {
    const text = 'INNER-1\nINNER-2\nINNER-3';
    const w = await workspace(
      { '.git/': null, 'a/AGENTS.md': text },
      { harness, replies: callsThenDone([[call.readStart('a/AGENTS.md')]]) },
    );
    await w.print(['go']);
    expect(filesTold(w)).toEqual([[['a/AGENTS.md', text]]]);
  });

  verifies('P25', `${harness}: one delivery a context; after a clear another`, async () => {
    const touch = callsThenDone([[call.read('a/x.txt')], [call.read('a/y.txt')]]);
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ROOT', 'a/AGENTS.md': 'INNER', 'a/x.txt': 'x', 'a/y.txt': 'y' },
      { harness, replies: [...touch, ...touch, ...touch] },
    );
    const session = w.stream();
    await session.prompt('one');
    await session.prompt('two');
    expect(filesTold(w)).toEqual([[['AGENTS.md', 'ROOT']], [['a/AGENTS.md', 'INNER']]]);
    await session.carryOut({ type: 'clear' });
    await session.prompt('three');
    await session.end();
    expect(history(w)).toEqual([
      ['files', ['AGENTS.md', 'ROOT']],
      ['user', 'three'],
      ['call', names.read],
      ['result'],
      ['files', ['a/AGENTS.md', 'INNER']],
      ['call', names.read],
      ['result'],
    ]);
  });

  verifies('P25', `${harness}: what was delivered is known on resume`, async () => {
    const touch = callsThenDone([[call.read('a/x.txt')]]);
    const w = await workspace(
      { '.git/': null, 'a/AGENTS.md': 'V1', 'a/x.txt': 'x' },
      { harness, replies: [...touch, ...touch] },
    );
    await w.print(['one']);
    w.write('a/AGENTS.md', 'V2');
    await w.print(['--continue', 'two']);
    expect(filesTold(w)).toEqual([[['a/AGENTS.md', 'V1']]]);
  });

  verifies(
    'P27',
    `${harness}: of an oversized file only the path comes, in the chain, discovered and linked`,
    async () => {
      const w = await workspace(
        {
          '.git/': null,
          'AGENTS.md': OVER,
          'b/AGENTS.md': 'START @big.md',
          'b/big.md': OVER,
          'b/a/AGENTS.md': OVER,
          'b/a/x.txt': 'x',
          'whole.md': OVER.slice(1),
        },
        { harness, replies: callsThenDone([[call.read('a/x.txt')]]) },
      );
      const { stderr } = await w.print(['go @../whole.md'], { cwd: 'b' });
      expect(filesTold(w)).toEqual([
        [
          ['b/AGENTS.md', 'START @big.md'],
          ['AGENTS.md', null],
        ],
        [['b/big.md', null]],
        [['whole.md', OVER.slice(1)]],
        [['b/a/AGENTS.md', null]],
      ]);
      for (const path of ['AGENTS.md', 'b/a/AGENTS.md', 'b/big.md']) {
        expect([path, linesAbout(w, stderr, path).length > 0]).toEqual([path, true]);
      }
    },
  );

  verifies(
    'C1',
    `${harness}: a package’s file comes when the package is touched, once, behind the prefix`,
    async () => {
      const w = await workspace(
        {
          '.git/': null,
          'AGENTS.md': 'ROOT-11',
          'packages/web/AGENTS.md': 'WEB-22',
          'packages/api/AGENTS.md': 'API-33',
          'packages/web/src/a.ts': 'export {};\n',
        },
        {
          harness,
          replies: callsThenDone([[call.read('packages/web/src/a.ts')], [call.read('packages/web/src/a.ts')]]),
        },
      );
      await w.print(['go']);
      expect([0, 1, 2].map((request) => filesTold(w, request))).toEqual([
        [[['AGENTS.md', 'ROOT-11']]],
        [[['AGENTS.md', 'ROOT-11']], [['packages/web/AGENTS.md', 'WEB-22']]],
        [[['AGENTS.md', 'ROOT-11']], [['packages/web/AGENTS.md', 'WEB-22']]],
      ]);
      const [first, second, third] = w.requests().map(messagesOf);
      expect(second?.slice(0, first?.length)).toEqual(first);
      expect(third?.slice(0, second?.length)).toEqual(second);
    },
  );
}
