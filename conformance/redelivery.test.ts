import { expect } from 'vitest';
import { summaries, summaryRequests, windowOf } from './rig/compaction.ts';
import { FACETED } from './rig/faceted.ts';
import { filesTold } from './rig/history.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { messagesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

for (const { harness, call } of FACETED) {
  verifies(
    ['P25', 'P53'],
    `${harness}: what was only named comes when its directory is touched, what was given not`,
    async () => {
      const folders = ['a', 'b', 'c', 'd', 'e', 'f'];
      const nested = Object.fromEntries(
        folders.flatMap((name) => [
          [`${name}/AGENTS.md`, `RULES OF ${name}`],
          [`${name}/x.txt`, 'x'],
        ]),
      );
      const w = await workspace(
        { '.git/': null, 'AGENTS.md': 'ROOT', ...nested },
        {
          harness,
          replies: [
            summaries('S'),
            ...callsThenDone(folders.map((name) => [call.read(`${name}/x.txt`)])),
            { text: 'ok' },
            ...callsThenDone([[call.read('a/x.txt'), call.read('f/x.txt')], [call.read('a/x.txt')]]),
            { text: 'ok', repeat: true },
          ],
        },
      );
      const session = w.stream();
      await session.prompt('one');
      await session.prompt('two');
      await session.carryOut({ type: 'compact' });
      await session.prompt('three');
      await session.end();
      const told = (name: string): [string, string] => [`${name}/AGENTS.md`, `RULES OF ${name}`];
      expect(filesTold(w)).toEqual([[['AGENTS.md', 'ROOT']], ['b', 'c', 'd', 'e', 'f'].map(told), [told('a')]]);
      const { stdout } = await w.run(['context', '--session', String(w.sessionLines()[0]?.id)]);
      expect(stdout).not.toContain('omitted: ');
    },
  );

  verifies('P51', `${harness}: the report says in words which body was left out, and why`, async () => {
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ROOT', 'a/AGENTS.md': 'INNER', 'a/x.txt': 'x' },
      {
        harness,
        replies: [
          summaries('S'),
          ...callsThenDone([[call.read('a/x.txt')]]),
          { text: `long ${'word '.repeat(2000)}` },
          ...callsThenDone([[call.read('a/AGENTS.md')]]),
          { text: 'ok', repeat: true },
        ],
      },
    );
    const session = w.stream();
    for (const text of ['one', 'two', 'three']) await session.prompt(text);
    await session.carryOut({ type: 'compact' });
    await session.prompt('four');
    await session.end();
    const { stdout } = await w.run(['context', '--session', String(w.sessionLines()[0]?.id)]);
    const lines = stdout.split('\n').filter((line) => line.includes('omitted: '));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatch(/context-file .*a\/AGENTS\.md .*skipped: omitted: complete current read of event \w+$/);
  });

  verifies(
    'P48',
    `${harness}: the request for a summary fits, however long the earlier summary and the wish`,
    async () => {
      const w = await workspace(
        { '.git/': null, ...windowOf(16_000) },
        {
          harness,
          replies: [summaries(`EARLIER ${'word '.repeat(9000)}`), { text: `ok ${'word '.repeat(500)}`, repeat: true }],
        },
      );
      const session = w.stream(['-c', 'compaction.automatic=false']);
      await session.prompt('one');
      await session.prompt('two');
      await session.carryOut({ type: 'compact' });
      await session.prompt(`MIDDLE ${'word '.repeat(4000)}`);
      await session.prompt('NEWEST');
      await session.carryOut({ type: 'compact', guidance: `WISH ${'word '.repeat(4000)}` });
      await session.end();
      const [, second] = w.requests().filter(({ purpose }) => purpose === 'compaction');
      const text = messagesOf(second).at(-1)?.content ?? '';
      expect(summaryRequests(w)).toHaveLength(2);
      // Four characters of this text a token, half of the window.
      expect(text.length).toBeLessThanOrEqual(4 * 8000);
      expect(['EARLIER', 'MIDDLE', 'WISH'].filter((word) => !text.includes(word))).toEqual([]);
    },
  );
}
