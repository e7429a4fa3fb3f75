import { expect } from 'vitest';
import { type RehearsalReply, reply } from '../src/testing/index.ts';
import { bodyOf, messagesOf, systemOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const YOLO = ['--permission-mode', 'yolo'];

function kimi(replies?: readonly RehearsalReply[], tree: Parameters<typeof workspace>[0] = {}): Promise<Workspace> {
  return workspace({ '.git/': null, ...tree }, { harness: 'kimi-cli', ...(replies === undefined ? {} : { replies }) });
}

const MODEL = 'providers.custom.models.rehearsed';

verifies(['M57', 'M58'], 'the body has these fields, in this order, and no other', async () => {
  const w = await kimi();
  await w.print(['hello']);
  const [request] = w.requests();
  const { messages, tools, ...rest } = bodyOf(request) as unknown as Record<string, unknown>;
  expect(Object.keys(bodyOf(request))).toEqual([
    ...['model', 'messages', 'max_tokens', 'prompt_cache_key', 'stream', 'stream_options', 'tools'],
  ]);
  expect(rest).toEqual({
    model: 'rehearsed',
    max_tokens: 32_000,
    prompt_cache_key: w.sessionLines()[0]?.id,
    stream: true,
    stream_options: { include_usage: true },
  });
  expect((messages as { role: string }[]).map(({ role }) => role)).toEqual(['system', 'user']);
  expect(Object.keys((tools as Record<string, unknown>[])[0] ?? {})).toEqual(['type', 'function']);
});

verifies('M57', 'the list of tools is there when it is empty', async () => {
  const w = await kimi();
  await w.print(['--tools', '', 'hello']);
  expect(bodyOf(w.requests()[0]).tools).toEqual([]);
});

verifies('M58', 'the key is the conversation’s, also after a resume', async () => {
  const w = await kimi();
  await w.print(['one']);
  await w.print(['--continue', 'two']);
  const keys = w.requests().map((request) => (request.json as { prompt_cache_key: string }).prompt_cache_key);
  expect(new Set(keys)).toEqual(new Set([w.sessionLines()[0]?.id]));
});

/** The two fields, where they are sent, for an effort of a model of this kind. */
async function thinking(effort: string | null, reasoning: string | null): Promise<unknown> {
  const w = await kimi();
  const kind = reasoning === null ? [] : ['-c', `${MODEL}.reasoning=${reasoning}`];
  await w.print([...kind, ...(effort === null ? [] : ['--effort', effort]), 'hello']);
  const { reasoning_effort: level, thinking: on } = bodyOf(w.requests()[0]) as unknown as Record<string, unknown>;
  return [level, on];
}

const ON = { type: 'enabled' };
const OFF = { type: 'disabled' };

verifies('M59', 'efforts are folded into three, each with thinking; none injects nothing', async () => {
  const efforts = [null, 'none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max', 'ultra', 'own'];
  const sent = await Promise.all(efforts.map((effort) => thinking(effort, null)));
  expect(sent).toEqual([
    [undefined, undefined],
    [undefined, undefined],
    ['low', ON],
    ['low', ON],
    ['medium', ON],
    ['high', ON],
    ['high', ON],
    ['high', ON],
    ['high', ON],
    ['own', ON],
  ]);
});

verifies('M60', 'a model with a switch is switched on without a level, and off where it is not on', async () => {
  const efforts = [null, 'none', 'Thinking', 'high'];
  const sent = await Promise.all(efforts.map((effort) => thinking(effort, 'toggle')));
  expect(sent).toEqual([
    [undefined, OFF],
    [undefined, OFF],
    [undefined, ON],
    ['high', ON],
  ]);
});

verifies(
  ['M65a', 'M65b', 'M65c', 'M65d'],
  'ids, arguments and reasoning go back as they came; user texts end in no newline',
  async () => {
    const given = '{ "path" : "x.txt",\n "n_lines": 1 }';
    const w = await kimi(
      [
        { reasoning: 'I look.', calls: [{ id: 'ReadFile:0', name: 'ReadFile', arguments: given }] },
        { reasoning: 'I know.', text: 'done\n' },
        { text: 'ok', repeat: true },
      ],
      { 'x.txt': 'text\n' },
    );
    const s = w.stream(YOLO);
    await s.prompt('hello\n\n');
    await s.prompt('and?\n');
    await s.end();
    expect(messagesOf(w.requests().at(-1))).toEqual([
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: null,
        reasoning_content: 'I look.',
        tool_calls: [{ id: 'ReadFile:0', type: 'function', function: { name: 'ReadFile', arguments: given } }],
      },
      {
        role: 'tool',
        tool_call_id: 'ReadFile:0',
        content: [
          {
            type: 'text',
            text: expect.stringMatching(/^<system>1 lines read from file starting from line 1\..*<\/system>$/),
          },
          { type: 'text', text: '     1\ttext\n' },
        ],
      },
      { role: 'assistant', content: 'done\n', reasoning_content: 'I know.' },
      { role: 'user', content: 'and?' },
    ]);
  },
);

verifies(['M61', 'M64'], 'whatever a call came to grief by is an error, wrapped once', async () => {
  const w = await kimi(
    [
      reply.calls([
        { name: 'Nothing', arguments: {} },
        { name: 'ReadFile', arguments: '{"path" "x"}' },
        { name: 'ReadFile', arguments: {} },
        { name: 'ReadFile', arguments: { path: 'absent.txt' } },
      ]),
      reply.calls([{ name: 'Shell', arguments: { command: 'echo out; exit 3' } }]),
      { text: 'ok', repeat: true },
    ],
    {},
  );
  await w.print([...YOLO, 'go']);
  const results = messagesOf(w.requests().at(-1)).filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => content)).toEqual([
    expect.stringMatching(/^<system>ERROR: There is no tool named "Nothing"\. .*<\/system>$/),
    '<system>ERROR: Error parsing JSON arguments: they are not valid JSON; send the call again</system>',
    '<system>ERROR: Error validating JSON arguments: path is missing</system>',
    expect.stringMatching(/^<system>ERROR: .*absent\.txt` does not exist\.<\/system>$/),
    [
      { type: 'text', text: '<system>ERROR: Command failed with exit code: 3.</system>' },
      { type: 'text', text: 'out\n' },
    ],
  ]);
});

verifies('M61', 'a denied call is an error; without a word the turn ends, with one it goes on', async () => {
  const script = (): RehearsalReply[] => [
    reply.calls([{ name: 'Shell', arguments: { command: 'touch x' } }]),
    { text: 'ok', repeat: true },
  ];
  const denied = async (feedback?: string): Promise<[number, unknown]> => {
    const w = await kimi(script());
    const s = w.stream(['--permission-mode', 'ask']);
    s.send({ type: 'prompt', text: 'go' });
    const { id } = await s.until(({ type }) => type === 'permission-request');
    s.send({ type: 'answer', id, value: 'deny', ...(feedback === undefined ? {} : { feedback }) });
    await s.until(({ type }) => type === 'turn-end');
    const before = w.requests().length;
    await s.prompt('next');
    await s.end();
    return [before, messagesOf(w.requests().at(-1)).find(({ role }) => role === 'tool')?.content];
  };
  expect([await denied(), await denied('use y')]).toEqual([
    [
      1,
      '<system>ERROR: The call was rejected by the user. Stop what you are doing, and wait for the user to say what to do instead.</system>',
    ],
    [2, '<system>ERROR: The call was rejected by the user. User feedback: use y</system>'],
  ]);
});

verifies('M65a', 'calls without a result are not sent, and stay in the log', async () => {
  const w = await kimi(
    [
      {
        text: 'I begin.',
        calls: [
          { id: 'a', name: 'ReadFile', arguments: '{"path":"x.txt"}' },
          { id: 'b', name: 'Shell', arguments: '{"command":"touch here; sleep 60"}' },
        ],
      },
      { text: 'ok', repeat: true },
    ],
    { 'x.txt': 'text\n' },
  );
  const s = w.stream(YOLO);
  s.send({ type: 'prompt', text: 'go' });
  // Killed between the first result and the second.
  await s.until(({ type }) => type === 'tool-result');
  s.kill();
  await s.ended;
  await w.print(['--continue', 'go on']);
  const sent = messagesOf(w.requests().at(-1));
  expect(sent.map(({ role, tool_calls: calls }) => [role, calls?.length])).toEqual([
    ['user', undefined],
    ['assistant', 1],
    ['tool', undefined],
    ['user', undefined],
  ]);
  const answer = w.sessionLines().find(({ type }) => type === 'assistant') as { parts: { type: string }[] };
  expect(answer.parts.filter(({ type }) => type === 'call')).toHaveLength(2);
});

verifies('M24', 'calls of one answer run side by side, their results in the order of the calls', async () => {
  const wait = 'until [ -e two ]; do sleep 0.02; done; echo one';
  const w = await kimi([
    reply.calls([
      { name: 'Shell', arguments: { command: wait } },
      { name: 'Shell', arguments: { command: 'touch two; echo two' } },
    ]),
    { text: 'ok', repeat: true },
  ]);
  await w.print([...YOLO, 'go']);
  const results = messagesOf(w.requests().at(-1)).filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => (content as unknown as { text: string }[])[1]?.text)).toEqual(['one\n', 'two\n']);
});

verifies('M1', 'the same call twice in one answer runs once, and both have its result', async () => {
  const w = await kimi([
    reply.calls([
      { name: 'Shell', arguments: '{"command":"echo x >> log","timeout":5}' },
      { name: 'Shell', arguments: '{"timeout":5, "command":"echo x >> log"}' },
    ]),
    reply.calls([{ name: 'ReadFile', arguments: { path: 'log' } }]),
    { text: 'ok', repeat: true },
  ]);
  await w.print([...YOLO, 'go']);
  const results = messagesOf(w.requests().at(-1)).filter(({ role }) => role === 'tool');
  expect(results.map(({ content }) => content)).toEqual([
    '<system>Command executed successfully.</system>',
    '<system>Command executed successfully.</system>',
    [
      { type: 'text', text: expect.any(String) },
      { type: 'text', text: '     1\tx\n' },
    ],
  ]);
});

verifies(
  'M26',
  'a call made again and again is remarked on at three, five and eight, and ends the turn at twelve',
  async () => {
    const again = {
      ...reply.calls([{ name: 'Shell', arguments: { command: 'echo x' } }]),
      when: { text: 'go' },
      repeat: true,
    };
    const w = await kimi([again, { text: 'ok', repeat: true }]);
    await w.print([...YOLO, 'go']);
    expect(w.requests()).toHaveLength(12);
    await w.print([...YOLO, '--continue', 'stop']);
    const outputs = messagesOf(w.requests().at(-1))
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => (content as unknown as { text: string }[]).at(-1)?.text ?? '');
    const tier = (text: string): string => {
      const [, inner] = /^x\n\n\n<system-reminder>\n([\s\S]*)\n<\/system-reminder>$/.exec(text) ?? [];
      return inner === undefined
        ? text
        : (/Stop calling tools now|take another way|several times in a row/.exec(inner)?.[0] ?? '?');
    };
    const [one, two, three] = ['several times in a row', 'take another way', 'Stop calling tools now'];
    expect(outputs.map(tier)).toEqual(['x\n', 'x\n', one, one, two, two, two, three, three, three, three, three]);
    expect(outputs[4]).toContain(
      '<repeated_times>5</repeated_times>\n<tool>Shell</tool>\n<arguments>{"command":"echo x"}</arguments>',
    );
  },
);

verifies(
  ['M73', 'M43'],
  'from the second request on nearly all of a request is what the one before began with',
  async () => {
    const w = await kimi([...Array.from({ length: 4 }, () => reply.text('ok'))], { 'AGENTS.md': 'RULES' });
    const s = w.stream();
    for (const text of ['one', 'two', 'three']) await s.prompt(text);
    await s.end();
    const [, second, third] = w.requests();
    expect(systemOf(third)).toBe(systemOf(second));
    const [before, after] = [second?.body ?? '', third?.body ?? ''];
    let same = 0;
    while (same < before.length && before[same] === after[same]) same += 1;
    // Fields and tools stand behind the messages on this wire: what precedes them is compared.
    const messages = before.indexOf('],"max_tokens"');
    expect(same / messages).toBeGreaterThan(0.98);
  },
);

verifies(
  'M5',
  'a question may be asked where everything is allowed, and nothing is said of a person who is not there',
  async () => {
    const sent = async (args: readonly string[]): Promise<[string[], number, boolean]> => {
      const w = await kimi();
      await w.print([...args, 'hello']);
      const [request] = w.requests();
      const names = (bodyOf(request).tools ?? []).map(({ function: { name } }) => name).slice(0, 4);
      return [names, bodyOf(request).messages.length, /non-interactive|nobody is there/i.test(systemOf(request))];
    };
    const names = ['Agent', 'AskUserQuestion', 'SetTodoList', 'Shell'];
    expect([await sent([]), await sent(YOLO)]).toEqual([
      [names, 2, false],
      [names, 2, false],
    ]);
  },
);

verifies(
  ['M65c', 'M57'],
  'a prompt with a picture is a list, its text trimmed, the picture with an id of null',
  async () => {
    const w = await kimi();
    const s = w.stream();
    const base64 = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await s.carryOut({ type: 'prompt', text: 'Look:\n\n', parts: [{ type: 'media', base64 }] });
    await s.end();
    const [message] = messagesOf(w.requests()[0]);
    expect(message?.content).toEqual([
      { type: 'text', text: 'Look:' },
      { type: 'image_url', image_url: { url: expect.stringMatching(/^data:image\/png;base64,/), id: null } },
    ]);
  },
);
