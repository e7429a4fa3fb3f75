import { expect } from 'vitest';
import { summaries, summaryRequests, turnRequests } from './rig/compaction.ts';
import { messagesOf, systemOf, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

function settings(compaction: Readonly<Record<string, unknown>>, window?: number): Readonly<Record<string, string>> {
  const models = window === undefined ? {} : { rehearsed: { context_window: window } };
  const text = JSON.stringify({ compaction, providers: { custom: { models } } });
  return { '~/.config/rein/settings.json': text };
}

verifies(['K43', 'C58', 'R7'], 'kli: by command, the instructions stay in the system prompt', async () => {
  const w = await workspace(
    { '.git/': null, 'AGENTS.md': 'ALWAYS-7', ...settings({ keep_tokens: 24 }) },
    { harness: 'kli', replies: [summaries('THE SUMMARY'), { text: 'ok', repeat: true }] },
  );
  const session = w.stream();
  for (const text of ['one', 'two', 'three']) await session.prompt(text);
  expect(await session.carryOut({ type: 'compact', guidance: 'the names' })).toMatchObject({ compacted: true });
  await session.prompt('four');
  await session.end();
  const [asked = ''] = summaryRequests(w);
  expect(asked).toContain('[User]: one');
  expect(asked).toContain('Additional focus: the names');
  expect(asked).not.toMatch(/ALWAYS-7|three/);
  const last = turnRequests(w).at(-1);
  expect(messagesOf(last).map(({ role, content }) => [role, content])).toEqual([
    ['user', 'Summary of the conversation so far:\n\nTHE SUMMARY'],
    ['user', 'three'],
    ['assistant', 'ok'],
    ['user', 'four'],
  ]);
  expect(turnRequests(w).every((request) => systemOf(request).includes('ALWAYS-7'))).toBe(true);
});

verifies(
  'K43',
  'kli: unasked once a turn has ended with the window full, and never where that is switched off',
  async () => {
    for (const automatic of [true, false]) {
      const w = await workspace(
        { '.git/': null, ...settings({ automatic, keep_tokens: 100 }, 8000) },
        { harness: 'kli', replies: [summaries('S'), { text: 'ok', repeat: true }] },
      );
      const session = w.stream();
      for (let turn = 0; turn < 4; turn += 1) await session.prompt('word '.repeat(1500));
      await session.prompt('last');
      await session.end();
      expect(summaryRequests(w)).toHaveLength(automatic ? 1 : 0);
      const purposes = w.requests().map(({ purpose }) => purpose);
      expect(purposes.at(-1)).toBe('turn');
    }
  },
);

verifies('K43', 'kli: where all fits into what stays there is nothing to do', async () => {
  const w = await workspace({ '.git/': null }, { harness: 'kli', replies: [{ text: 'ok', repeat: true }] });
  const session = w.stream();
  await session.prompt('one');
  await session.prompt('two');
  expect(await session.carryOut({ type: 'compact' })).toMatchObject({ compacted: false });
  await session.end();
  expect(summaryRequests(w)).toEqual([]);
});
