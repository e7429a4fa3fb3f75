import { describe, expect, test } from 'vitest';
import { ModelError, type ModelEvent, NO_USAGE } from '../../model/index.ts';
import { ChatDecoder } from './chat-decoder.ts';

function decode(chunks: readonly unknown[], marked = true): ModelEvent[] {
  let made = 0;
  const decoder = new ChatDecoder('http://server/v1', 'google', () => `call_${made++}`);
  const events = chunks.flatMap((chunk) => decoder.push(chunk));
  if (marked) decoder.mark();
  return [...events, ...decoder.end()];
}

function failure(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error instanceof ModelError ? { fault: error.fault, message: error.message } : error;
  }
}

function delta(fields: object, reason: string | null = null): unknown {
  return { choices: [{ index: 0, delta: fields, finish_reason: reason }] };
}

function call(fields: object): unknown {
  return delta({ tool_calls: [fields] });
}

function ends(events: readonly ModelEvent[]): unknown[] {
  return events.flatMap((event) =>
    event.type === 'tool-input-end'
      ? [[event.id, event.name, event.arguments]]
      : event.type === 'finish'
        ? [event.stop]
        : [],
  );
}

const WHOLE = call({ index: 0, id: 'c1', function: { name: 'grep', arguments: '{"a":1}' } });

describe('how an answer ended', () => {
  test.each(['stop', '', 'tool_use', 'eos', 'function_call', 'tool_calls', null])(
    'complete calls decide when the reason is %j',
    (reason) => {
      expect(ends(decode([WHOLE, delta({}, reason)]))).toEqual([['c1', 'grep', '{"a":1}'], 'calls']);
    },
  );

  test.each([
    ['stop', 'end'],
    ['tool_calls', 'end'],
    ['eos', 'end'],
    ['length', 'length'],
    ['max_tokens', 'length'],
    ['content_filter', 'filter'],
  ])('an answer of text with the reason %s stops with %s', (reason, stop) => {
    expect(ends(decode([delta({ content: 'x' }, reason)]))).toEqual([stop]);
  });

  test('calls that are broken and not cut are handed on, for the model to see its mistake', () => {
    const broken = call({ index: 0, id: 'c1', function: { name: 'grep', arguments: '{a:1}' } });
    expect(ends(decode([broken, delta({}, 'stop')]))).toEqual([['c1', 'grep', '{a:1}'], 'calls']);
  });

  test('the end mark alone completes an answer, and so does a reason alone', () => {
    expect([ends(decode([delta({ content: 'x' })])), ends(decode([delta({ content: 'x' }, 'stop')], false))]).toEqual([
      ['end'],
      ['end'],
    ]);
  });

  test('without a reason and the end mark an answer is truncated', () => {
    expect(failure(() => decode([WHOLE], false))).toEqual({
      fault: 'truncated',
      message: 'the answer of server ended in its middle, without a finish reason',
    });
  });

  test('where no usage was told it is the constant NO_USAGE', () => {
    expect(decode([delta({ content: 'x' }, 'stop')]).at(-1)).toHaveProperty('usage', NO_USAGE);
    const last = decode([delta({ content: 'x' }, 'stop')]).at(-1);
    expect(last?.type === 'finish' && last.usage === NO_USAGE).toBe(true);
  });
});

describe('calls', () => {
  test.each([
    ['an object in place of text', { a: 1 }, '{"a":1}'],
    ['null', null, ''],
    ['nothing', undefined, ''],
    ['the word null', 'null', 'null'],
  ])('arguments may be %s', (_title, given, received) => {
    const chunk = call({ index: 0, id: 'c1', function: { name: 'list', arguments: given } });
    expect(ends(decode([chunk, delta({}, 'stop')]))).toEqual([['c1', 'list', received], 'calls']);
  });

  test('id and name that are repeated in each fragment do not start a call', () => {
    const fragment = (text: string) => call({ index: 0, id: 'c1', function: { name: 'grep', arguments: text } });
    expect(ends(decode(['', '{"a"', ':1}', ''].map(fragment)))).toEqual([['c1', 'grep', '{"a":1}'], 'calls']);
  });

  test('a name that is repeated without an id does not start a call before the arguments are whole', () => {
    const fragment = (text: string) => call({ function: { name: 'grep', arguments: text } });
    expect(ends(decode(['', '{"a"', ':1}', '', '{"a":2}'].map(fragment)))).toEqual([
      ['call_0', 'grep', '{"a":1}'],
      ['call_1', 'grep', '{"a":2}'],
      'calls',
    ]);
  });

  test('another name without an id starts a call after arguments that are blank', () => {
    expect(ends(decode([call({ function: { name: 'a' } }), call({ function: { name: 'b' } })]))).toEqual([
      ['call_0', 'a', ''],
      ['call_1', 'b', ''],
      'calls',
    ]);
  });

  test('an id that is taken is replaced, since results are found by it', () => {
    const twice = [0, 1].map((index) => call({ index, id: 'same', function: { name: 'a', arguments: '{}' } }));
    expect(ends(decode(twice))).toEqual([['same', 'a', '{}'], ['call_0', 'a', '{}'], 'calls']);
  });

  test('a call without a name is malformed', () => {
    expect(failure(() => decode([call({ index: 0, id: 'c1', function: { arguments: '{}' } })]))).toEqual({
      fault: 'malformed',
      message: 'the server sent a tool call without a name',
    });
  });
});

test('what a provider sends along with a call is kept with it', () => {
  const data = { google: { thought_signature: 'abc' } };
  const first = { index: 0, id: 'c1', function: { name: 'grep', arguments: '{}' }, extra_content: data };
  const events = decode([call(first), call({ index: 1, id: 'c2', function: { name: 'grep', arguments: '{}' } })]);
  expect(events.filter((event) => event.type === 'tool-input-end')).toEqual([
    { type: 'tool-input-end', id: 'c1', name: 'grep', arguments: '{}', opaque: { provider: 'google', data } },
    { type: 'tool-input-end', id: 'c2', name: 'grep', arguments: '{}' },
  ]);
});

test('a whole answer in place of a stream is understood', () => {
  const message = { role: 'assistant', content: 'Hi', tool_calls: null };
  expect(decode([{ choices: [{ index: 0, message, finish_reason: 'stop' }] }])).toEqual([
    { type: 'text-start' },
    { type: 'text-delta', text: 'Hi' },
    { type: 'text-end' },
    { type: 'finish', stop: 'end', usage: NO_USAGE },
  ]);
});

test('content in parts is text and thinking', () => {
  const content = [
    { type: 'thinking', thinking: [{ type: 'text', text: 'Hm' }] },
    { type: 'text', text: 'Yes' },
  ];
  expect(decode([delta({ content }, 'stop')]).map((event) => ('text' in event ? event.text : event.type))).toEqual([
    'reasoning-start',
    'Hm',
    'reasoning-end',
    'text-start',
    'Yes',
    'text-end',
    'finish',
  ]);
});

test('reasoning that xAI leaves out of the output is counted into it', () => {
  const usage = {
    prompt_tokens: 10,
    completion_tokens: 5,
    total_tokens: 35,
    completion_tokens_details: { reasoning_tokens: 20 },
  };
  expect(decode([delta({ content: 'x' }, 'stop'), { choices: [], usage }]).at(-1)).toEqual({
    type: 'finish',
    stop: 'end',
    usage: { input: 10, output: 25, cacheRead: 0, cacheWrite: 0, reasoning: 20 },
  });
});

test.each([
  [{ error: { message: 'Rate limit reached', type: 'rate_limit_error' } }, 'rate-limit', 'Rate limit reached'],
  [{ error: { message: 'Overloaded', code: 529 } }, 'server', 'Overloaded'],
  [
    { error: 'prompt is too long' },
    'overflow',
    'prompt is too long (more than the model’s window holds: go on in a new session, or give the server a larger one)',
  ],
  [{ error: { message: 'no', code: 'invalid_api_key' } }, 'auth', 'no'],
  [{ error: { message: 'what\nnow' } }, 'server', 'what now'],
])('the error %j inside a stream is %s', (chunk, fault, words) => {
  expect(failure(() => decode([chunk]))).toEqual({ fault, message: `server broke the answer off: ${words}` });
});

test.each([null, 3, 'x', [], {}, { choices: 'x' }, { choices: [null] }, { choices: [{ delta: 'x' }] }])(
  'a chunk like %j says nothing and breaks nothing',
  (chunk) => {
    expect(ends(decode([chunk, delta({ content: 'x' }, 'stop')]))).toEqual(['end']);
  },
);
