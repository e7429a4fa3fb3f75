import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { summaries, turnRequests } from './rig/compaction.ts';
import { FACETED } from './rig/faceted.ts';
import { filesTold, history } from './rig/history.ts';
import { callsThenDone } from './rig/tool-results.ts';
import { messagesOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const open = { type: 'todos', items: [{ id: '1', title: 'open', status: 'pending' }] };

for (const { harness, call } of FACETED) {
  verifies('C53', `${harness}: a rewind goes to prompts and boundaries, never into a batch`, async () => {
    const w = await workspace(
      { '.git/': null, 'x.txt': 'x' },
      {
        harness,
        replies: [...callsThenDone([[call.read('x.txt'), call.read('x.txt')]]), { text: 'ok', repeat: true }],
      },
    );
    const session = w.stream();
    await session.prompt('one');
    const inside = session.lines.filter(({ type }) => type === 'assistant' || type === 'tool-result');
    expect(inside.length).toBeGreaterThan(2);
    for (const { id } of inside) {
      expect(await session.command({ type: 'rewind', to: String(id) })).toMatchObject({
        type: 'error',
        code: 'command/no-target',
      });
    }
    await session.end();
  });

  verifies(
    ['P21', 'P48'],
    `${harness}: a rewind to before a compaction brings the conversation back whole, and its prompt’s text`,
    async () => {
      const w = await workspace(
        { '.git/': null, 'AGENTS.md': 'ROOT' },
        { harness, replies: [summaries('S'), { text: 'ok', repeat: true }] },
      );
      const session = w.stream();
      for (const text of ['one', 'two']) await session.prompt(text);
      const second = session.lines.findLast(({ type }) => type === 'prompt');
      await session.carryOut({ type: 'compact' });
      const boundary = session.lines.findLast(({ type }) => type === 'compaction');
      await session.prompt('three');
      const after = history(w);
      await session.carryOut({ type: 'rewind', to: String(boundary?.id) });
      await session.prompt('three');
      expect(history(w)).toEqual(after);
      expect(await session.carryOut({ type: 'rewind', to: String(second?.id) })).toEqual({
        text: 'two',
        files: 'unchanged',
      });
      await session.prompt('again');
      await session.end();
      expect(history(w)).toEqual([
        ['files', ['AGENTS.md', 'ROOT']],
        ['user', 'one'],
        ['assistant', 'ok'],
        ['user', 'again'],
      ]);
    },
  );

  verifies(
    'P48',
    `${harness}: todos outlive a compaction and a clear, are told after the first, and go back with a rewind`,
    async () => {
      const names =
        harness === 'rein'
          ? ['todo', { todos: [{ title: 'open', status: 'pending' }] }]
          : ['todo_create', { title: 'open' }];
      const w = await workspace(
        { '.git/': null },
        {
          harness,
          replies: [
            summaries('S'),
            ...callsThenDone([[names as [string, Record<string, unknown>]]]),
            { text: 'ok', repeat: true },
          ],
        },
      );
      const session = w.stream();
      await session.prompt('one');
      const first = session.lines.find(({ type }) => type === 'prompt');
      expect(session.lines.find(({ type }) => type === 'todos')).toMatchObject(open);
      await session.prompt('two');
      await session.carryOut({ type: 'compact' });
      await session.prompt('three');
      expect(
        history(w).filter(([kind, text]) => kind === 'notice' && String(text).includes('- [ ] 1. open')),
      ).toHaveLength(1);
      expect(w.sessionLines().find(({ type }) => type === 'compaction')).toMatchObject({ todos: open.items });
      await session.carryOut({ type: 'rewind', to: String(first?.id) });
      await session.prompt('four');
      await session.prompt('five');
      await session.carryOut({ type: 'compact' });
      await session.prompt('six');
      await session.end();
      expect(w.sessionLines().findLast(({ type }) => type === 'compaction')).toMatchObject({ todos: [] });
    },
  );

  verifies('P25', `${harness}: a fork goes on with what its branch was given, and no more`, async () => {
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ROOT', 'a/AGENTS.md': 'INNER', 'a/x.txt': 'x' },
      { harness, replies: [...callsThenDone([[call.read('a/x.txt')]]), { text: 'ok', repeat: true }] },
    );
    const session = w.stream();
    await session.prompt('one');
    const { session: id } = (await session.carryOut({ type: 'fork' })) as { session: string };
    await session.prompt('two');
    await session.end();
    const files = w.sessionFiles();
    expect(files).toHaveLength(2);
    await w.print(['--resume', id, 'three']);
    expect(history(w).filter(([kind]) => kind === 'user')).toEqual([
      ['user', 'one'],
      ['user', 'three'],
    ]);
    expect(filesTold(w)).toEqual([[['AGENTS.md', 'ROOT']], [['a/AGENTS.md', 'INNER']]]);
    const copy = files.find((file) => file.includes(id)) ?? '';
    expect(readFileSync(copy, 'utf8')).not.toContain('"text":"two"');
  });

  verifies(['P49', 'P52'], `${harness}: a crash between a boundary and what follows it loses nothing`, async () => {
    const w = await workspace(
      { '.git/': null, 'AGENTS.md': 'ROOT' },
      { harness, replies: [summaries('S'), { text: 'ok', repeat: true }] },
    );
    const session = w.stream();
    for (const text of ['one', 'two']) await session.prompt(text);
    await session.carryOut({ type: 'compact' });
    session.kill();
    await session.ended;
    await w.print(['--continue', 'three']);
    expect(filesTold(w)).toEqual([[['AGENTS.md', 'ROOT']]]);
    expect(messagesOf(turnRequests(w).at(-1)).at(-1)).toEqual({ role: 'user', content: 'three' });
  });
}
