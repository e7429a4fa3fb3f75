import { expect } from 'vitest';
import { rawServer, say, stream } from './rig/raw-server.ts';
import { bodyOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

type Sent = { role: string; content?: unknown; reasoning_content?: string; tool_calls?: Called[] };
type Called = { id: string; function: { name: string; arguments: string } };

const READ_A = { name: 'read', arguments: '{"path":"a.txt"}' };
const FILES = { '.git/': null, 'a.txt': 'one\n', 'b.txt': 'two\n' };

function sent(w: Workspace, request: number): Sent[] {
  return bodyOf(w.requests()[request]).messages.slice(1) as Sent[];
}

/** `reasoning_content` of each message with calls. */
function reasoningIn(messages: readonly Sent[]): (string | undefined)[] {
  return messages.filter((message) => message.tool_calls).map((message) => message.reasoning_content);
}

verifies(
  'C75',
  'reasoning goes back verbatim to the model that wrote it, also after a resume, and to no other',
  async () => {
    const reasoning = '  I need “a”.\n\n\tThen b… 你好 \\n "quoted" ';
    const w = await workspace(FILES, {
      server: { reasoning: 'echoed' },
      replies: [
        { reasoning, calls: [READ_A] },
        { text: 'ok', repeat: true },
      ],
    });
    await w.print(['hello']);
    await w.print(['--continue', 'again']);
    const other = await w.run(['-p', '--continue', 'once more'], { env: { REIN_MODEL: 'another' } });
    expect([1, 2].map((request) => reasoningIn(sent(w, request)))).toEqual([[reasoning], [reasoning]]);
    const stored = w.sessionLines().flatMap((line) => (line.type === 'assistant' ? (line.parts as unknown[]) : []));
    expect(stored[0]).toEqual({ type: 'reasoning', text: reasoning });
    // The server of this test wants it from anybody; what was sent is what counts.
    expect({ code: other.code, sent: w.requests()[3]?.body.includes('reasoning_content') }).toEqual({
      code: 1,
      sent: false,
    });
  },
);

verifies('C76', 'a server that refuses calls without reasoning gets the real one or a word in its place', async () => {
  const own = { reasoning: 'toggle', quirks: { empty_reasoning: 'placeholder' } };
  const quirks = `providers=${JSON.stringify({ custom: own })}`;
  const w = await workspace(FILES, {
    server: { reasoning: 'required' },
    replies: [
      { reasoning: 'For the other model.', calls: [READ_A] },
      { text: 'ok' },
      { calls: [READ_A] },
      { reasoning: 'I see.', calls: [READ_A] },
      { text: 'ok' },
    ],
  });
  await w.print(['-c', quirks, 'hello'], { env: { REIN_MODEL: 'another' } });
  await w.print(['--continue', '-c', quirks, '--effort', 'high', 'again']);
  const placeholder = '(no reasoning was recorded for this step)';
  expect(reasoningIn(sent(w, 4))).toEqual([placeholder, placeholder, 'I see.']);
  const { thinking, reasoning_effort: effort } = bodyOf(w.requests()[4]) as unknown as Record<string, unknown>;
  expect({ thinking, effort }).toEqual({ thinking: { type: 'enabled' }, effort: undefined });
});

for (const harness of ['rein', 'kli']) {
  verifies(
    'C77',
    `one system message, first, and no other role: notes of the program are user text (${harness})`,
    async () => {
      const w = await workspace(
        { ...FILES, 'AGENTS.md': 'RULES ONE' },
        { harness, replies: [{ calls: [READ_A] }, { text: 'ok', repeat: true }] },
      );
      const session = w.stream();
      await session.prompt('hello');
      w.write('AGENTS.md', 'RULES TWO');
      w.write('sub/AGENTS.md', 'MORE');
      await session.command({ type: 'reload' });
      await session.prompt('again');
      await session.end();
      const roles = w.requests().map(({ json }) => (json as { messages: Sent[] }).messages.map(({ role }) => role));
      expect(roles.map((list) => list.lastIndexOf('system'))).toEqual(roles.map(() => 0));
      expect([...new Set(roles.flat())].sort()).toEqual(['assistant', 'system', 'tool', 'user']);
      expect(w.server.failures()).toEqual([]);
    },
  );
}

for (const [form, index] of [
  ['all with index 0', { index: 0 }],
  ['without any index', {}],
] as const) {
  verifies('C78', `parallel calls ${form} are two calls, whole`, async () => {
    const w = await workspace(FILES);
    const call = (id: string, path: string): unknown => ({
      tool_calls: [{ ...index, id, type: 'function', function: { name: 'read', arguments: JSON.stringify({ path }) } }],
    });
    const server = await rawServer([stream([call('c1', 'a.txt'), call('c2', 'b.txt')], 'tool_calls'), say('done')]);
    const { stdout } = await w.print(['hello'], { env: { REIN_BASE_URL: server.url } });
    expect({ stdout, results: server.requests[1]?.messages.slice(-2) }).toEqual({
      stdout: 'done\n',
      results: [
        { role: 'tool', tool_call_id: 'c1', content: 'one\n' },
        { role: 'tool', tool_call_id: 'c2', content: 'two\n' },
      ],
    });
  });
}

verifies('C80', 'arguments that say nothing mean an empty object, and none goes back as it came', async () => {
  const w = await workspace(FILES);
  const variants: unknown[] = ['', undefined, null, 'null', ' \n', { path: 'a.txt' }];
  const calls = variants.map((given, index) => ({
    tool_calls: [{ index, id: `c${index}`, type: 'function', function: { name: 'read', arguments: given } }],
  }));
  const server = await rawServer([stream(calls, 'tool_calls'), say('done')]);
  const { stdout } = await w.print(['hello'], { env: { REIN_BASE_URL: server.url } });
  const [called, ...results] = (server.requests[1]?.messages ?? []).slice(-7) as Sent[];
  expect({
    stdout,
    sent: called?.tool_calls?.map((call) => call.function.arguments),
    results: results.map(({ content }) => content),
  }).toEqual({
    stdout: 'done\n',
    sent: ['{}', '{}', '{}', '{}', '{}', '{"path":"a.txt"}'],
    results: [...Array.from({ length: 5 }, () => 'Error: path is missing'), 'one\n'],
  });
});

for (const reason of ['stop', null, '', 'tool_use', 'eos']) {
  verifies('C82', `a complete call runs when the answer ends with ${JSON.stringify(reason)}`, async () => {
    const w = await workspace(FILES);
    const call = { tool_calls: [{ index: 0, id: 'c1', function: { name: 'read', arguments: '{"path":"a.txt"}' } }] };
    const server = await rawServer([stream([call], reason), say('done')]);
    const { stdout } = await w.print(['hello'], { env: { REIN_BASE_URL: server.url } });
    expect({ stdout, result: server.requests[1]?.messages.at(-1) }).toEqual({
      stdout: 'done\n',
      result: { role: 'tool', tool_call_id: 'c1', content: 'one\n' },
    });
  });
}
