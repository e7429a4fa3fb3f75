import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { UsageError } from '../../base/index.ts';
import { parseRehearsal } from './parse-rehearsal.ts';

async function mistake(text: string): Promise<unknown> {
  return parseRehearsal(text, 'play.yaml').then(
    () => 'no mistake',
    (error: unknown) => (error instanceof UsageError ? error.message : error),
  );
}

const FULL = `server:
  reasoning: echoed
  refuses: [stream_options, image]
  most_images: 2
  call_ids: nine
  call_index: zero
  finish_reason: eos
replies:
  - when: { purpose: turn, agent: root, text: /fix/i, system: brief, request: 1 }
    reasoning: Hm.
    text: |
      Reading.
    calls:
      - name: read
        arguments: { path: a.txt, deep: [1, null] }
      - { id: mine, name: list }
      - { name: broken, arguments: '{"path' }
    usage: { input: 1, output: 2, cache_read: 3, cache_write: 4, reasoning: 5 }
    stop: calls
    repeat: true
    expect:
      system_contains: [a, /b/]
      system_lacks: c
      messages: 2
      tools: [read, list]
      last_user: fix
      tool_result: [ok]
    fault: { kind: stall, ms: 5, at: headers, times: 2 }
  - status: 429
`;

test('a script with everything is read whole', async () => {
  expect(await parseRehearsal(FULL, 'play.yaml')).toEqual({
    path: 'play.yaml',
    server: {
      reasoning: 'echoed',
      refuses: ['stream_options', 'image'],
      mostImages: 2,
      callIds: 'nine',
      callIndex: 'zero',
      finishReason: 'eos',
    },
    replies: [
      {
        line: 9,
        when: { purpose: 'turn', agent: 'root', text: /fix/i, system: 'brief', request: 1 },
        reasoning: 'Hm.',
        text: 'Reading.\n',
        calls: [
          { name: 'read', arguments: '{"path":"a.txt","deep":[1,null]}' },
          { id: 'mine', name: 'list', arguments: '{}' },
          { name: 'broken', arguments: '{"path' },
        ],
        usage: { input: 1, output: 2, cacheRead: 3, cacheWrite: 4, reasoning: 5 },
        stop: 'calls',
        repeat: true,
        expect: {
          systemContains: ['a', /b/],
          systemLacks: ['c'],
          messages: 2,
          tools: ['read', 'list'],
          lastUser: ['fix'],
          toolResult: ['ok'],
        },
        fault: { kind: 'stall', ms: 5, at: 'headers', times: 2 },
      },
      {
        line: 29,
        fault: { kind: 'status', status: 429 },
      },
    ],
  });
});

test('JSON is read as well, tabs included', async () => {
  expect(await parseRehearsal('[\n\t{\n\t\t"text": "a\\u00e9"\n\t}\n]\n', 'play.json')).toEqual({
    path: 'play.json',
    replies: [{ line: 2, text: 'aé' }],
  });
});

test.each(['split-bytes', 'stall', 'reset', 'status', 'malformed', 'truncated'])(
  'the fault %s needs no details',
  async (kind) => {
    const script = await parseRehearsal(`- fault: ${kind}\n`, 'play.yaml');
    expect(script.replies.map((reply) => reply.fault?.kind)).toEqual([kind]);
  },
);

test('an alias is the last node before it of that anchor, and many of them cost one pass', async () => {
  const texts = async (yaml: string): Promise<unknown> =>
    (await parseRehearsal(yaml, 'play.yaml')).replies.map(({ text }) => text);
  expect(await texts('- &a { text: one }\n- *a\n- &a { text: two }\n- *a\n')).toEqual(['one', 'one', 'two', 'two']);
  expect(await texts(`- &a { text: one }\n${'- *a\n'.repeat(10_000)}`)).toEqual(Array(10_001).fill('one'));
});

describe('mistakes name file, line and column', () => {
  test.each([
    ['', '1:1: a script is a list of replies'],
    ['reply: []', '1:1: a script has no "reply": known are replies, server'],
    ['- text: a\n  text: b', '2:3: Map keys must be unique'],
    ['- text: a\n- txet: b', '2:3: a reply has no "txet": did you mean "text"?'],
    ['- when: { agnet: x }', '1:11: "when" has no "agnet": did you mean "agent"?'],
    ['- text: 42', '1:9: "text" must be text (put it in quotes)'],
    ['- calls: [{ arguments: {} }]', '1:11: a call needs a "name"'],
    ['- calls: [{ name: a, arguments: [1] }]', '1:33: "arguments" must be a mapping, or text that is sent as it is'],
    ['- when: { text: /(/ }', '1:17: "text": Invalid regular expression: /(/: Unterminated group'],
    [
      '- fault: rest',
      '1:10: "fault" must be one of split-bytes, stall, reset, status, malformed, truncated, not "rest"; did you mean "reset"?',
    ],
    ['- fault: { kind: reset, ms: 3 }', '1:29: "ms" means nothing for the fault reset'],
    ['- status: 200', '1:11: "status" must be a whole number of 300 or more'],
    [
      '- fault: reset\n  status: 500',
      '2:11: "status" is short for a fault: give one of the two, the code as "status" of the fault',
    ],
    ['- fault: { kind: status, headers: { "a b": c } }', '1:37: "a b" is no header that can be sent'],
    ['- usage: { input: -1 }', '1:19: "input" must be a whole number of 0 or more'],
    ['- repeat: maybe', '1:11: "repeat" must be true or false'],
    ['- text: [', '1:10: Flow sequence in block collection must be sufficiently indented and end with a ]'],
    ['- text: a\n---\n- text: b', '2:1: a second document: a script is one'],
    ['- *nobody', '1:3: an alias without its anchor'],
    ['- &a [*a]', '1:6: nested deeper than 100 levels'],
  ])('%j', async (text, message) => {
    expect(await mistake(text)).toBe(`play.yaml:${message}`);
  });

  test('nesting and unfolding are bounded', async () => {
    const doubled = Array.from(
      { length: 40 },
      (_, index) => `- &a${index} [*a${Math.max(0, index - 1)}, *a${Math.max(0, index - 1)}]`,
    );
    expect(await mistake(['- &a0 x', ...doubled.slice(1)].join('\n'))).toMatch(
      /^play\.yaml:\d+:\d+: more than 200000 values$/,
    );
    expect(await mistake(`${'['.repeat(150)}${']'.repeat(150)}`)).toBe(
      'play.yaml:1:102: nested deeper than 100 levels',
    );
  });
});

test('any text is a script or a mistake, never a crash', async () => {
  const word = fc.constantFrom(
    '- ',
    'text: ',
    '{',
    '}',
    '[',
    ']',
    '\n',
    '  ',
    '"',
    "'",
    '|',
    '&a',
    '*a',
    '/x/',
    'fault',
    ': ',
    '#',
    '!',
    '\t',
    '1',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(word, { maxLength: 12 }), async (words) => {
      const outcome = await mistake(words.join(''));
      return typeof outcome === 'string';
    }),
    { numRuns: 300 },
  );
});
