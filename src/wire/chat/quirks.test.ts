import { describe, expect, test } from 'vitest';
import type { Json, Message, ModelInfo, ModelRequest, Part, Quirks, WireShape } from '../../model/index.ts';
import { mergeQuirks } from '../catalog/quirks.ts';
import { callId } from './call-id.ts';
import { ChatEncoder } from './chat-encoder.ts';

const INFO: ModelInfo = { provider: 'p', id: 'm', wire: 'chat', contextWindow: null, outputLimit: null };
const SHAPE: WireShape = { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false };
const PICTURE: Part = { type: 'media', sha256: 'x', mime: 'image/png' };
const SHOWN = { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } };

type Given = { quirks?: Partial<Quirks>; info?: Partial<ModelInfo>; request?: Partial<ModelRequest> };

function bodyOf(messages: readonly Message[], { quirks, info, request }: Given = {}): Record<string, unknown> {
  const encoder = new ChatEncoder({ ...INFO, ...info }, mergeQuirks(quirks));
  const media: ModelRequest['media'] = () => ({ mime: 'image/png', base64: 'AA==' });
  const base = { sessionId: 's', purpose: 'turn', system: 'S', tools: [], shape: SHAPE, media } as const;
  return JSON.parse(encoder.encode({ ...base, messages, ...request }).join(''));
}

/** The fields of a body, the messages and what is always there left out. */
function fieldsOf(given: Given): Record<string, unknown> {
  const { model: _model, messages: _messages, stream: _stream, ...fields } = bodyOf([HI], given);
  return fields;
}

function messagesOf(messages: readonly Message[], given: Given = {}): unknown[] {
  return (bodyOf(messages, given).messages as unknown[]).slice(1);
}

function user(text: string, ...more: Part[]): Message {
  return { role: 'user', event: text, from: 'user', alone: false, parts: [{ type: 'text', text }, ...more] };
}

function answer(event: string, ...parts: Part[]): Message {
  return { role: 'assistant', event, parts, source: { provider: 'p', model: 'm' } };
}

function result(event: string, id: string, ...parts: Part[]): Message {
  return { role: 'tool', event: `${event}-${id}`, call: { assistant: event, id }, tool: 'read', status: 'ok', parts };
}

function call(id: string): Part {
  return { type: 'call', id, name: 'read', arguments: '{}' };
}

const HI = user('Hi');

describe('an effort', () => {
  const WORDS = [undefined, 'none', 'low', 'high', 'odd', '3000'];
  const row = (reasoning: ModelInfo['reasoning'], form: Quirks['reasoning_switch']): unknown[] =>
    WORDS.map((effort) => {
      const info = reasoning === undefined ? {} : { reasoning };
      const request = effort === undefined ? {} : { effort };
      return fieldsOf({ quirks: { reasoning_switch: form, stream_usage: false }, info, request });
    });

  test.each<[ModelInfo['reasoning'], Quirks['reasoning_switch'], unknown[]]>([
    ['none', 'plain', [{}, {}, {}, {}, {}, {}]],
    [undefined, 'plain', [{}, ...['none', 'low', 'high', 'odd', '3000'].map((word) => ({ reasoning_effort: word }))]],
    [
      'effort',
      'chat_template_kwargs',
      [{}, ...['none', 'low', 'high', 'odd', '3000'].map((word) => ({ reasoning_effort: word }))],
    ],
    [
      'effort',
      'reasoning',
      [{}, ...['none', 'low', 'high', 'odd', '3000'].map((effort) => ({ reasoning: { effort } }))],
    ],
    [
      'toggle',
      'plain',
      [{}, { thinking: { type: 'disabled' } }, ...Array.from({ length: 4 }, () => ({ thinking: { type: 'enabled' } }))],
    ],
    [
      'toggle',
      'reasoning',
      [{}, { reasoning: { enabled: false } }, ...Array.from({ length: 4 }, () => ({ reasoning: { enabled: true } }))],
    ],
    [
      'toggle',
      'enable_thinking',
      [{}, { enable_thinking: false }, ...Array.from({ length: 4 }, () => ({ enable_thinking: true }))],
    ],
    [
      'toggle',
      'chat_template_kwargs',
      [
        {},
        { chat_template_kwargs: { enable_thinking: false } },
        ...Array.from({ length: 4 }, () => ({ chat_template_kwargs: { enable_thinking: true } })),
      ],
    ],
    [
      'budget',
      'plain',
      [
        {},
        { thinking: { type: 'disabled' } },
        ...[2048, 16_384, 8192, 3000].map((budget_tokens) => ({ thinking: { type: 'enabled', budget_tokens } })),
      ],
    ],
    [
      'budget',
      'reasoning',
      [
        {},
        { reasoning: { enabled: false } },
        ...[2048, 16_384, 8192, 3000].map((max_tokens) => ({ reasoning: { max_tokens } })),
      ],
    ],
    [
      'budget',
      'enable_thinking',
      [
        {},
        { enable_thinking: false },
        ...[2048, 16_384, 8192, 3000].map((tokens) => ({ enable_thinking: true, thinking_budget: tokens })),
      ],
    ],
  ])('of a model with the control %s goes out as %s', (reasoning, form, expected) => {
    expect(row(reasoning, form)).toEqual(expected);
  });

  test.each<[ModelInfo['reasoning'], string | undefined, Record<string, Json>]>([
    [undefined, undefined, {}],
    ['effort', 'none', {}],
    ['toggle', undefined, { thinking: { type: 'disabled' } }],
    ['toggle', 'none', { thinking: { type: 'disabled' } }],
    ['toggle', 'Thinking', { thinking: { type: 'enabled' } }],
    ['toggle', 'low', { reasoning_effort: 'low', thinking: { type: 'enabled' } }],
    ['budget', 'minimal', { reasoning_effort: 'low', thinking: { type: 'enabled' } }],
    ['none', 'medium', { reasoning_effort: 'medium', thinking: { type: 'enabled' } }],
    [undefined, 'xhigh', { reasoning_effort: 'high', thinking: { type: 'enabled' } }],
    [undefined, 'ultra', { reasoning_effort: 'high', thinking: { type: 'enabled' } }],
    [undefined, 'Thinking', { reasoning_effort: 'Thinking', thinking: { type: 'enabled' } }],
    [undefined, 'odd', { reasoning_effort: 'odd', thinking: { type: 'enabled' } }],
  ])('in the folded style, control %s and effort %s, is %j', (reasoning, effort, expected) => {
    const info = reasoning === undefined ? {} : { reasoning };
    const request = { shape: { ...SHAPE, effort: 'folded' as const }, ...(effort === undefined ? {} : { effort }) };
    expect(fieldsOf({ quirks: { stream_usage: false }, info, request })).toEqual(expected);
  });
});

describe('fields', () => {
  const shape: WireShape = {
    ...SHAPE,
    fields: [
      ['max_tokens', 32_000],
      ['prompt_cache_key', '$session'],
    ],
  };
  const usage = { stream_options: { include_usage: true } };

  test.each<[string, Given, unknown]>([
    ['as the shape has them', { request: { shape } }, { max_tokens: 32_000, prompt_cache_key: 's', ...usage }],
    [
      'with the limit under another name',
      { request: { shape }, quirks: { max_tokens_field: 'max_completion_tokens' } },
      { max_completion_tokens: 32_000, prompt_cache_key: 's', ...usage },
    ],
    [
      'with a limit no higher than the model’s and the server’s',
      { request: { shape }, info: { outputLimit: 9000 }, quirks: { max_tokens_cap: 10_000 } },
      { max_tokens: 9000, prompt_cache_key: 's', ...usage },
    ],
    ['with the limit that is known of the model', { info: { outputLimit: 9000 } }, { max_tokens: 9000, ...usage }],
    ['without asking for token counts', { quirks: { stream_usage: false } }, {}],
    [
      'without those that the server refuses',
      {
        request: { shape, effort: 'low' },
        quirks: { drop_fields: ['prompt_cache_key', 'reasoning_effort', 'stream_options'] },
      },
      { max_tokens: 32_000 },
    ],
  ])('are sent %s', (_title, given, fields) => {
    expect(fieldsOf(given)).toEqual(fields);
  });
});

describe('an answer that called a tool', () => {
  const history = [
    HI,
    answer('a', { type: 'reasoning', text: ' ' }, call('c')),
    result('a', 'c', { type: 'text', text: 'r' }),
  ];
  const sent = (quirks: Partial<Quirks>): unknown => {
    const { tool_calls: _calls, ...rest } = messagesOf(history, { quirks })[1] as Record<string, unknown>;
    return rest;
  };

  test('has the content that its server takes where it said nothing', () => {
    expect((['null', 'empty', 'omit'] as const).map((form) => sent({ null_content: form }))).toEqual([
      { role: 'assistant', content: null },
      { role: 'assistant', content: '' },
      { role: 'assistant' },
    ]);
  });

  test('carries a word in place of the reasoning that it lacks, where a server insists', () => {
    const placeholder = '(no reasoning was recorded for this step)';
    const foreign: Message = {
      ...answer('b', { type: 'reasoning', text: 'Hm.' }, call('d')),
      source: { provider: 'q', model: 'n' },
    } as Message;
    const own = answer('e', { type: 'reasoning', text: 'I see.' }, call('f'));
    const messages = [
      HI,
      answer('a', call('c')),
      result('a', 'c'),
      foreign,
      result('b', 'd'),
      own,
      result('e', 'f'),
      answer('g', { type: 'text', text: 'Done' }),
    ];
    const reasoning = messagesOf(messages, { quirks: { empty_reasoning: 'placeholder' } })
      .filter((message) => (message as { role: string }).role === 'assistant')
      .map((message) => (message as { reasoning_content?: string }).reasoning_content);
    expect(reasoning).toEqual([placeholder, placeholder, 'I see.', undefined]);
  });

  test('gets the state back that its provider gave with the call', () => {
    const signed = (provider: string): Message[] => {
      const part: Part = {
        type: 'call',
        id: 'c',
        name: 'read',
        arguments: '{}',
        opaque: { provider, data: { google: { thought_signature: 'abc' } } },
      };
      return [HI, answer('a', part), result('a', 'c')];
    };
    const extras = ['p', 'other'].map(
      (provider) =>
        (messagesOf(signed(provider))[1] as { tool_calls: { extra_content?: unknown }[] }).tool_calls[0]?.extra_content,
    );
    expect(extras).toEqual([{ google: { thought_signature: 'abc' } }, undefined]);
  });
});

describe('ids of calls', () => {
  test('that a server takes stay, others become ones that it takes', () => {
    const ids = ['call_1', 'functions.read:0', 'aB3dE6gH9', 'x'.repeat(41)];
    expect(ids.map((id) => [callId(id, 'any') === id, callId(id, 'word'), callId(id, 'nine')])).toEqual([
      [true, 'call_1', '2ZxtuOiTe'],
      [true, 'call_c216cab2de2e56d547b4e6340edfc11a', 'IWQ2kuYbJ'],
      [true, 'aB3dE6gH9', 'aB3dE6gH9'],
      [true, 'call_3164596df4fdd018b2c567ec8c03e79b', 'xmbv6FWY2'],
    ]);
  });

  test('are the same in call and result', () => {
    const history = [HI, answer('a', call('functions.read:0')), result('a', 'functions.read:0')];
    const [, called, returned] = messagesOf(history, { quirks: { call_ids: 'nine' } }) as [
      unknown,
      { tool_calls: { id: string }[] },
      { tool_call_id: string },
    ];
    expect([called.tool_calls[0]?.id, returned.tool_call_id]).toEqual(
      Array.from({ length: 2 }, () => callId('functions.read:0', 'nine')),
    );
  });
});

describe('pictures of results', () => {
  const text = (word: string): Part => ({ type: 'text', text: word });
  const batch = [
    HI,
    answer('a', call('c'), call('d')),
    result('a', 'c', text('one'), PICTURE),
    result('a', 'd', text('two')),
  ];
  const tool = (id: string, content: unknown) => ({ role: 'tool', tool_call_id: id, content });
  const pictures = {
    role: 'user',
    content: [{ type: 'text', text: 'Pictures of the tool results above, in their order:' }, SHOWN],
  };

  test('follow the whole batch', () => {
    expect(messagesOf([...batch, user('Go')]).slice(2)).toEqual([
      tool('c', 'one'),
      tool('d', 'two'),
      pictures,
      { role: 'user', content: 'Go' },
    ]);
  });

  test('stay inside where the server takes them', () => {
    expect(messagesOf(batch, { quirks: { tool_images: 'in-result' } }).slice(2)).toEqual([
      tool('c', [{ type: 'text', text: 'one' }, SHOWN]),
      tool('d', 'two'),
    ]);
  });

  test('are a word for a model that takes text alone, in prompts too', () => {
    const word = { type: 'text', text: '(image/png: this model takes text alone)' };
    expect(messagesOf([...batch, user('See', PICTURE)], { info: { modalities: ['text'] } }).slice(2)).toEqual([
      tool('c', [{ type: 'text', text: 'one' }, word]),
      tool('d', 'two'),
      { role: 'user', content: [{ type: 'text', text: 'See' }, word] },
    ]);
  });

  test('and user messages come after an answer where a server wants one between', () => {
    const between = { role: 'assistant', content: 'I have read the results.' };
    const quirks = { answer_after_results: true };
    expect([
      messagesOf(batch, { quirks }).slice(4),
      messagesOf([HI, answer('b', call('e')), result('b', 'e', text('x')), user('Go')], { quirks }).slice(3),
      messagesOf([HI, answer('b', call('e')), result('b', 'e', text('x')), answer('f', text('y'))], { quirks }).slice(
        3,
      ),
    ]).toEqual([
      [between, pictures],
      [between, { role: 'user', content: 'Go' }],
      [{ role: 'assistant', content: 'y' }],
    ]);
  });

  test('are one with what the user says next, where roles must alternate', () => {
    const quirks = { merge_user_messages: true };
    const long = [user('one'), user('two', PICTURE), user('three'), user('four'), ...batch.slice(1), user('Go')];
    const sent = messagesOf(long, { quirks });
    expect([sent[0], ...sent.slice(4)]).toEqual([
      {
        role: 'user',
        content: [{ type: 'text', text: 'one\n\ntwo' }, SHOWN, { type: 'text', text: 'three\n\nfour' }],
      },
      { role: 'user', content: [...pictures.content, { type: 'text', text: 'Go' }] },
    ]);
    expect(messagesOf([user('a'), user('b\n')], { quirks })).toEqual([{ role: 'user', content: 'a\n\nb\n' }]);
  });

  test('are written once, and again when one of the batch was replaced', () => {
    const encoder = new ChatEncoder(INFO, mergeQuirks());
    let looked = 0;
    const media: ModelRequest['media'] = () => {
      looked += 1;
      return { mime: 'image/png', base64: 'AA==' };
    };
    const encode = (messages: readonly Message[]) =>
      encoder.encode({ sessionId: 's', purpose: 'turn', system: 'S', tools: [], shape: SHAPE, media, messages });
    const first = encode(batch);
    const second = encode([...batch, answer('f', text('y'))]);
    const dropped = encode(
      batch.map((message) => (message.event === 'a-c' ? ({ ...message, parts: [text('gone')] } as Message) : message)),
    );
    expect({
      looked,
      shared: second.slice(0, -3),
      dropped: dropped.some((part) => part.includes('image_url')),
    }).toEqual({
      looked: 1,
      shared: first.slice(0, -2),
      dropped: false,
    });
  });
});
