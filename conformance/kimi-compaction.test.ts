import { expect } from 'vitest';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import { summaries, summaryRequests, turnRequests, windowOf } from './rig/compaction.ts';
import { bodyOf, messagesOf, systemOf, toolNamesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const OK: RehearsalReply = { text: 'ok', repeat: true };
const YOLO = ['--permission-mode', 'yolo'];

function kimi(replies: readonly RehearsalReply[], tree: Parameters<typeof workspace>[0] = {}): Promise<Workspace> {
  return workspace(
    { '.git/': null, 'AGENTS.md': 'RULES', 'x.txt': 'FILE TEXT\n', ...tree },
    { harness: 'kimi-cli', replies },
  );
}

const AFTER =
  '<system>The earlier context of this conversation was compacted. What follows was made of it. TaskList lists the background tasks that are still active.</system>';

verifies(
  ['M68', 'M72'],
  'a request of its own, without tools, by one plain sentence; the last two messages stay',
  async () => {
    const w = await kimi([summaries('THE SUMMARY'), { ...OK, when: { purpose: 'turn' } }]);
    const s = w.stream();
    for (const text of ['one', 'two', 'three']) await s.prompt(text);
    expect(await s.carryOut({ type: 'compact', guidance: 'the names' })).toMatchObject({ compacted: true });
    await s.prompt('four');
    await s.end();
    const asked = w.requests().find(({ purpose }) => purpose === 'compaction');
    expect(systemOf(asked)).toBe('You are a helpful assistant that compacts the context of a conversation.');
    expect(toolNamesOf(asked)).toEqual([]);
    const [message] = messagesOf(asked);
    const text = message?.content ?? '';
    expect(text.slice(0, text.indexOf('The messages above'))).toBe(
      [
        ...['one', 'ok', 'two', 'ok'].map(
          (said, index) =>
            `## Message ${index + 1}\nRole: ${index % 2 === 0 ? 'user' : 'assistant'}\nContent:\n${said}\n\n`,
        ),
      ].join(''),
    );
    expect(text.endsWith('it goes before the priorities above:\nthe names')).toBe(true);
    expect(messagesOf(turnRequests(w).at(-1)).map(({ role, content }) => [role, content])).toEqual([
      ['user', `${AFTER}\nTHE SUMMARY`],
      ['user', 'three'],
      ['assistant', 'ok'],
      ['user', 'four'],
    ]);
    expect(systemOf(turnRequests(w).at(-1))).toBe(systemOf(turnRequests(w)[0]));
  },
);

verifies(
  ['M69', 'M70', 'M71'],
  'the prompt has six priorities, the rules, and six sections in their order',
  async () => {
    const w = await kimi([summaries('S'), { ...OK, when: { purpose: 'turn' } }]);
    const s = w.stream();
    for (const text of ['one', 'two', 'three']) await s.prompt(text);
    await s.carryOut({ type: 'compact' });
    await s.end();
    const asked = w.requests().find(({ purpose }) => purpose === 'compaction');
    const text = messagesOf(asked)[0]?.content ?? '';
    expect(text.match(/^\d\. .*$/gm)).toEqual([
      '1. The current task: what is being worked on, and how far it is.',
      '2. Errors and their solutions: each error that came up, and what solved it.',
      '3. How the code developed: its final, working version only.',
      '4. The system: project structure, dependencies, environment, what was set up.',
      '5. Design decisions: what was decided, and why.',
      '6. To-do items: what is left.',
    ]);
    const rules = text.slice(text.indexOf('Rules:'), text.indexOf('Answer in exactly'));
    expect(rules.match(/^- .*$/gm)).toEqual([
      '- Keep, word for word: error messages, stack traces, working solutions, and the current task.',
      '- Merge what was said several times into one point.',
      '- Drop explanations that repeat themselves, failed attempts (keep what was learnt from them), and wordy comments.',
      '- Code under 20 lines stays whole. Of longer code keep the signatures and the key logic.',
      '- Of errors keep the full message and the final solution; of discussions the decisions and what follows from them.',
    ]);
    const form = text.slice(text.indexOf('Answer in exactly'));
    expect(form.match(/^<[a-z_]+>$/gm)).toEqual([
      ...['<current_focus>', '<environment>', '<completed_tasks>', '<active_issues>', '<code_state>', '<file>'],
      '<important_context>',
    ]);
    expect(form.match(/^\*\*.*\*\*$/gm)).toEqual(['**Summary:**', '**Key elements:**', '**Latest version:**']);
  },
);

verifies('M68', 'calls, reasoning and pictures are not in it; a call and its result are never parted', async () => {
  const w = await kimi([
    summaries('S'),
    { reasoning: 'HIDDEN', text: 'I look.', calls: [{ name: 'ReadFile', arguments: '{"path":"x.txt"}' }] },
    reply.text('seen'),
    { ...OK, when: { purpose: 'turn' } },
  ]);
  const s = w.stream(YOLO);
  await s.prompt('one');
  await s.prompt('two');
  await s.carryOut({ type: 'compact' });
  await s.prompt('three');
  await s.end();
  const asked = w.requests().find(({ purpose }) => purpose === 'compaction');
  const text = messagesOf(asked)[0]?.content ?? '';
  expect(text.slice(0, text.indexOf('The messages above'))).toMatch(
    /^## Message 1\nRole: user\nContent:\none\n\n## Message 2\nRole: assistant\nContent:\nI look\.\n\n## Message 3\nRole: tool\nContent:\n<system>1 lines read[^\n]*<\/system>\n {5}1\tFILE TEXT\n\n\n## Message 4\nRole: assistant\nContent:\nseen\n\n$/,
  );
  expect(messagesOf(turnRequests(w).at(-1)).map(({ role }) => role)).toEqual(['user', 'user', 'assistant', 'user']);
});

verifies(
  'M68',
  'unasked at 85 % of the window, or when too little is left; fewer than two messages are left alone',
  async () => {
    const asked = async (window: number, input: number): Promise<number> => {
      const usage = { input, output: 0, cacheRead: 0, cacheWrite: 0 };
      const w = await kimi(
        [summaries('S'), { text: 'ok', usage, when: { purpose: 'turn' }, repeat: true }],
        windowOf(window),
      );
      const s = w.stream();
      for (const text of ['one', 'two', 'three']) await s.prompt(text);
      await s.end();
      return summaryRequests(w).length;
    };
    expect(await asked(200_000, 140_000)).toBe(0);
    expect(await asked(200_000, 150_000)).toBeGreaterThan(0);
    expect(await asked(1_000_000, 840_000)).toBe(0);
    expect(await asked(1_000_000, 850_000)).toBeGreaterThan(0);
    const w = await kimi([summaries('S'), { ...OK, when: { purpose: 'turn' } }]);
    const s = w.stream();
    await s.prompt('one');
    expect(await s.carryOut({ type: 'compact' })).toMatchObject({ compacted: false });
    await s.end();
  },
);

verifies('M68', 'one that fails leaves the conversation as it is', async () => {
  const w = await kimi([
    { when: { purpose: 'compaction' }, fault: { kind: 'status', status: 400 }, repeat: true },
    { ...OK, when: { purpose: 'turn' } },
  ]);
  const s = w.stream();
  for (const text of ['one', 'two', 'three']) await s.prompt(text);
  const before = messagesOf(turnRequests(w).at(-1));
  await s.command({ type: 'compact' });
  await s.prompt('four');
  await s.end();
  expect(messagesOf(turnRequests(w).at(-1)).slice(0, before.length)).toEqual(before);
  expect(bodyOf(turnRequests(w).at(-1)).messages).toHaveLength(8);
});
