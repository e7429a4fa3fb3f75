import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Message,
  ModelError,
  type ModelInfo,
  type ModelRequest,
  type Quirks,
  type WireShape,
} from '../../model/index.ts';
import { mergeQuirks } from '../catalog/quirks.ts';
import { ChatEncoder } from './chat-encoder.ts';

const FIXTURES = join(import.meta.dirname, 'fixtures');
const INFO: ModelInfo = { provider: 'deepseek', id: 'm', wire: 'chat', contextWindow: null, outputLimit: null };
const PLAIN: WireShape = { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false };
const READ = { name: 'read', description: 'Reads.', schema: { type: 'object' } };

function user(text: string, event = 'u'): Message {
  return { role: 'user', event, from: 'user', parts: [{ type: 'text', text }], alone: false };
}

function assistant(
  event: string,
  parts: Extract<Message, { role: 'assistant' }>['parts'],
  provider = 'deepseek',
): Message {
  return { role: 'assistant', event, parts, source: { provider, model: 'm' } };
}

function result(assistantEvent: string, id: string, text: string): Message {
  const parts = [{ type: 'text', text }] as const;
  return { role: 'tool', event: `r-${id}`, call: { assistant: assistantEvent, id }, tool: 'read', parts, status: 'ok' };
}

function request(messages: readonly Message[], extra: Partial<ModelRequest> = {}): ModelRequest {
  const media: ModelRequest['media'] = () => ({ mime: 'image/png', base64: 'iVBORw0=' });
  return { sessionId: 's1', purpose: 'turn', system: 'Be brief.', messages, tools: [], shape: PLAIN, media, ...extra };
}

function encoder(quirks: Partial<Quirks> = {}, info: Partial<ModelInfo> = {}): ChatEncoder {
  return new ChatEncoder({ ...INFO, ...info }, mergeQuirks(quirks));
}

function messagesOf(body: readonly string[]): unknown {
  return JSON.parse(body.join('')).messages.slice(1);
}

test('a body is the head, one stretch a message, the fields in their order, the tools and the end', () => {
  const shape: WireShape = {
    fields: [
      ['max_tokens', 32_000],
      ['prompt_cache_key', '$session'],
    ],
    toolsWhenEmpty: 'empty-list',
    trimUserNewlines: true,
  };
  const messages = [user('Hi\n\n'), assistant('a', [{ type: 'text', text: 'Hello\n' }]), user('Go')];
  expect(encoder().encode(request(messages, { shape, tools: [READ], effort: 'high' }))).toEqual([
    '{"model":"m","messages":[',
    '{"role":"system","content":"Be brief."}',
    ',{"role":"user","content":"Hi"}',
    ',{"role":"assistant","content":"Hello\\n"}',
    ',{"role":"user","content":"Go"}',
    '],"max_tokens":32000,"prompt_cache_key":"s1","stream":true,"stream_options":{"include_usage":true}',
    ',"tools":[{"type":"function","function":{"name":"read","description":"Reads.","parameters":{"type":"object"}}}],"reasoning_effort":"high"}',
  ]);
});

test('without tools the list is left out or sent empty, as the shape says', () => {
  const tail = (toolsWhenEmpty: WireShape['toolsWhenEmpty']) =>
    encoder()
      .encode(request([user('Hi')], { shape: { ...PLAIN, toolsWhenEmpty } }))
      .at(-1);
  expect([tail('omit'), tail('empty-list')]).toEqual(['}', ',"tools":[]}']);
});

test('a conversation with reasoning, calls, results and a picture has its golden body', async () => {
  const messages: Message[] = [
    {
      role: 'user',
      event: 'u',
      from: 'user',
      alone: false,
      parts: [
        { type: 'text', text: 'Look:\n' },
        { type: 'media', sha256: 'x', mime: 'image/png' },
      ],
    },
    assistant('a1', [
      { type: 'reasoning', text: 'Two files.' },
      { type: 'text', text: 'Reading.' },
      { type: 'call', id: 'c1', name: 'read', arguments: '{ "path" : "a" }' },
      { type: 'call', id: 'c2', name: 'read', arguments: '' },
    ]),
    result('a1', 'c1', 'one'),
    result('a1', 'c2', 'two'),
    assistant('a2', [{ type: 'call', id: 'c3', name: 'read', arguments: '{"path":"c"}' }]),
    result('a2', 'c3', 'three'),
  ];
  const body = encoder().encode(request(messages, { tools: [READ] }));
  const golden = join(FIXTURES, 'conversation.body.json');
  await expect(`${JSON.stringify(JSON.parse(body.join('')), null, 2)}\n`).toMatchFileSnapshot(golden);
});

const KIMI: WireShape = { ...PLAIN, results: 'parts', unanswered: 'drop', imageIds: true, trimUserNewlines: true };

/** What the history's fold puts in the place of a result that never came. */
function noResult(assistantEvent: string, id: string): Message {
  const parts = [{ type: 'text', text: 'interrupted' }] as const;
  const call = { assistant: assistantEvent, id };
  return { role: 'tool', event: assistantEvent, call, tool: 'read', parts, status: 'aborted' };
}

const calling = (event: string, text: string, ...ids: readonly string[]): Message =>
  assistant(event, [
    ...(text === '' ? [] : [{ type: 'text' as const, text }]),
    ...ids.map((id) => ({ type: 'call' as const, id, name: 'read', arguments: '{ "a": 1 }' })),
  ]);

test('calls without a result are dropped where the shape says so: all, some, or none of an answer’s', () => {
  const messages = [
    user('Hi'),
    calling('a', 'I look.', 'c1', 'c2'),
    result('a', 'c1', 'one'),
    noResult('a', 'c2'),
    user('on', 'u2'),
    calling('b', '', 'c3'),
    noResult('b', 'c3'),
    user('and on', 'u3'),
    calling('d', '', 'c4'),
    result('d', 'c4', 'four'),
  ];
  const call = (id: string) => ({ id, type: 'function', function: { name: 'read', arguments: '{ "a": 1 }' } });
  const used = encoder();
  const sent = used.encode(request(messages, { shape: KIMI }));
  expect(messagesOf(sent)).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: 'I look.', tool_calls: [call('c1')] },
    { role: 'tool', tool_call_id: 'c1', content: 'one' },
    { role: 'user', content: 'on' },
    { role: 'user', content: 'and on' },
    { role: 'assistant', content: null, tool_calls: [call('c4')] },
    { role: 'tool', tool_call_id: 'c4', content: 'four' },
  ]);
  // Written once: the same objects at the next request.
  expect(used.encode(request(messages, { shape: KIMI }))).toEqual(sent);
  expect(messagesOf(used.encode(request(messages)))).toHaveLength(10);
});

test('the parts of a result go out as a list, pictures among them with an id of null, one text as that text', () => {
  const parts = [
    { type: 'text', text: '<system>m</system>' },
    { type: 'text', text: 'a\fb' },
    { type: 'media', sha256: 'x', mime: 'image/png' },
  ] as const;
  const call = { assistant: 'a', id: 'c1' };
  const messages: Message[] = [
    user('Hi\n\n'),
    calling('a', '', 'c1', 'c2'),
    { role: 'tool', event: 'r', call, tool: 'read', parts, status: 'error' },
    result('a', 'c2', 'alone'),
  ];
  const [, , first, second] = messagesOf(encoder().encode(request(messages, { shape: KIMI }))) as unknown[];
  expect([first, second]).toEqual([
    {
      role: 'tool',
      tool_call_id: 'c1',
      content: [
        { type: 'text', text: '<system>m</system>' },
        { type: 'text', text: 'a\fb' },
        { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0=', id: null } },
      ],
    },
    { role: 'tool', tool_call_id: 'c2', content: 'alone' },
  ]);
});

test('reasoning goes back to the model that wrote it, in its server’s field, to no other and not where it is refused', () => {
  const history = (provider: string) => [
    user('Hi'),
    assistant(
      'a',
      [
        { type: 'reasoning', text: 'Hm.' },
        { type: 'text', text: 'Yes' },
      ],
      provider,
    ),
    user('Go'),
  ];
  const answer = (content: unknown) => [{ role: 'user', content: 'Hi' }, content, { role: 'user', content: 'Go' }];
  expect([
    messagesOf(encoder().encode(request(history('deepseek')))),
    messagesOf(encoder().encode(request(history('openai')))),
    messagesOf(encoder({}, { id: 'other' }).encode(request(history('deepseek')))),
    messagesOf(encoder({ reasoning_replay: 'none' }).encode(request(history('deepseek')))),
    messagesOf(encoder({ reasoning_replay: 'reasoning' }).encode(request(history('deepseek')))),
  ]).toEqual([
    answer({ role: 'assistant', content: 'Yes', reasoning_content: 'Hm.' }),
    answer({ role: 'assistant', content: 'Yes' }),
    answer({ role: 'assistant', content: 'Yes' }),
    answer({ role: 'assistant', content: 'Yes' }),
    answer({ role: 'assistant', content: 'Yes', reasoning: 'Hm.' }),
  ]);
});

test.each(['', '  \n', 'null', '{"path":"a', '[]', '"x"', 'path=a'])(
  'the arguments %j go back as an empty object',
  (text) => {
    const call = assistant('a', [{ type: 'call', id: 'c', name: 'read', arguments: text }]);
    expect(messagesOf(encoder().encode(request([user('Hi'), call, result('a', 'c', 'ok')])))).toEqual([
      { role: 'user', content: 'Hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'c', type: 'function', function: { name: 'read', arguments: '{}' } }],
      },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
    ]);
  },
);

test('an answer without text and calls is not sent', () => {
  const history = [user('Hi'), assistant('a', [{ type: 'reasoning', text: 'Hm.' }]), user('Go')];
  expect(messagesOf(encoder().encode(request(history)))).toEqual([
    { role: 'user', content: 'Hi' },
    { role: 'user', content: 'Go' },
  ]);
});

test('half a surrogate pair is sent as the replacement character', () => {
  expect(
    encoder()
      .encode(request([user('a\ud83db \\ud83d 🙂')]))
      .at(2),
  ).toBe(',{"role":"user","content":"a\ufffdb \\\\ud83d 🙂"}');
});

const CALL = { type: 'call', id: 'c', name: 'read', arguments: '{}' } as const;

test.each<[string, Message[], string]>([
  ['a call without a result', [user('Hi'), assistant('a', [CALL])], 'call c has no result'],
  [
    'a message between a call and its result',
    [user('Hi'), assistant('a', [CALL]), user('!', 'x'), result('a', 'c', 'ok')],
    'call c has no result before the next message',
  ],
  ['a result without a call', [user('Hi'), result('a', 'c', 'ok')], 'the result of call c has no open call before it'],
  [
    'a second result',
    [user('Hi'), assistant('a', [CALL]), result('a', 'c', 'ok'), result('a', 'c', 'ok')],
    'the result of call c has no open call before it',
  ],
  ['two calls with one id', [user('Hi'), assistant('a', [CALL, CALL])], 'two calls of one answer have the same id'],
])('%s is not sent', (_title, messages, what) => {
  let caught: unknown;
  try {
    encoder().encode(request(messages));
  } catch (error) {
    caught = error;
  }
  expect(caught).toBeInstanceOf(ModelError);
  expect((caught as ModelError).message.replace(/ \(event .*/, '')).toBe(`internal: ${what}`);
});

test('a message that was written before is not written again', () => {
  let looked = 0;
  const shared = encoder();
  const picture: Message = {
    role: 'user',
    event: 'u',
    from: 'user',
    alone: false,
    parts: [{ type: 'media', sha256: 'x', mime: 'image/png' }],
  };
  const media: ModelRequest['media'] = () => {
    looked += 1;
    return { mime: 'image/png', base64: 'AA==' };
  };
  const first = shared.encode(request([picture], { media }));
  const second = shared.encode(request([picture, user('Go')], { media }));
  expect({ looked, shared: second.slice(0, 3) }).toEqual({ looked: 1, shared: first.slice(0, 3) });
});

test('two shapes of one conversation do not share their bytes', () => {
  const shared = encoder();
  const history = [user('Hi\n')];
  const trimmed = { ...PLAIN, trimUserNewlines: true };
  expect([shared.encode(request(history))[2], shared.encode(request(history, { shape: trimmed }))[2]]).toEqual([
    ',{"role":"user","content":"Hi\\n"}',
    ',{"role":"user","content":"Hi"}',
  ]);
});

test('each request of a growing conversation begins with the stretches of the one before', () => {
  const text = fc.string({ unit: 'binary', maxLength: 20 });
  fc.assert(
    fc.property(fc.array(text, { minLength: 1, maxLength: 8 }), fc.nat(), (texts, cut) => {
      const messages = texts.map((each, index) => user(each, `u${index}`));
      const shared = encoder();
      const earlier = shared.encode(request(messages.slice(0, cut % (texts.length + 1))));
      const later = shared.encode(request(messages));
      JSON.parse(later.join(''));
      expect(later.slice(0, earlier.length - 2)).toEqual(earlier.slice(0, -2));
      expect(later).toEqual(encoder().encode(request(messages.map((message) => ({ ...message })))));
    }),
  );
});
