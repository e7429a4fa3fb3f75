import { describe, expect, test } from 'vitest';
import { createMemoryHost, type MemoryHost } from '../../host/memory/index.ts';
import {
  type Message,
  ModelError,
  type ModelEvent,
  type ModelPort,
  type ModelRequest,
  type ProviderSettings,
  type ToolSpec,
} from '../../model/index.ts';
import { createChatModel } from '../chat/chat-model.ts';
import { parseRehearsal } from './parse-rehearsal.ts';
import { createRehearsalModel } from './rehearsal-model.ts';
import { serveRehearsal } from './rehearsal-server.ts';

const READ: ToolSpec = { name: 'read', description: 'Reads.', schema: { type: 'object' } };

function user(text: string): Message {
  return { role: 'user', event: `u-${text}`, from: 'user', parts: [{ type: 'text', text }], alone: false };
}

function request(messages: readonly Message[], extra: Partial<ModelRequest> = {}): ModelRequest {
  const shape = { fields: [], toolsWhenEmpty: 'omit', trimUserNewlines: false } as const;
  const base = {
    sessionId: 's',
    purpose: 'turn',
    system: 'Be brief.',
    tools: [READ],
    shape,
    media: () => undefined,
  } as const;
  return { ...base, messages, ...extra };
}

/** The script over both ways: in process, and through a server and the real client. */
type Stage = {
  model: ModelPort;
  host: MemoryHost;
  requests(): readonly { body: string; failures: readonly string[] }[];
};

const WAYS: [string, (script: string) => Promise<Stage>][] = [
  [
    'in process',
    async (text) => {
      const host = createMemoryHost();
      const model = createRehearsalModel(await parseRehearsal(text, 'play.yaml'), host);
      return { model, host, requests: () => model.requests() };
    },
  ],
  [
    'as a server',
    async (text) => {
      const host = createMemoryHost();
      const server = await serveRehearsal({ host, script: await parseRehearsal(text, 'play.yaml'), wire: 'chat' });
      const info = { provider: 'custom', id: 'm', wire: 'chat', contextWindow: null, outputLimit: null } as const;
      const ports = {
        http: host.http,
        clock: host.clock,
        random: { bytes: (size: number) => new Uint8Array(size).fill(128) },
      };
      const model = createChatModel({ host: ports, info, baseUrl: server.url, apiKey: null });
      return { model, host, requests: () => server.requests() };
    },
  ],
];

/** What came, deltas joined: `text:…`, `call:id name arguments`, `wait:ms`, `stop:…`, `error:fault`. */
async function say({ model }: Stage, asked: ModelRequest): Promise<string[]> {
  const said: string[] = [];
  let text = '';
  try {
    for await (const event of model.prepare(asked).send(new AbortController().signal)) {
      if (event.type === 'text-delta') text += event.text;
      else said.push(...show(event, text));
    }
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    said.push(...(text === '' ? [] : [`partial:${text}`]), `error:${error.fault}`);
  }
  return said;
}

function show(event: ModelEvent, text: string): string[] {
  if (event.type === 'text-end') return [`text:${text}`];
  if (event.type === 'tool-input-end') return [`call:${event.id} ${event.name} ${event.arguments}`];
  if (event.type === 'retry-wait') return [`wait:${event.delayMs}`];
  return event.type === 'finish' ? [`stop:${event.stop}`] : [];
}

describe.each(WAYS)('a rehearsal %s', (_way, open) => {
  test('plays text, calls and their results in turn', async () => {
    const stage = await open(`
- text: "Reading 你好🙂."
  calls: [{ name: read, arguments: { path: a } }, { name: read, arguments: { path: b } }]
- expect: { tool_result: [one, /^two$/], messages: 4, tools: [read], system_contains: brief, last_user: Go }
  text: Done.
`);
    const first = await say(stage, request([user('Go')]));
    const calls = ['call_1_1', 'call_1_2'].map((id) => ({ type: 'call', id, name: 'read', arguments: '{}' }) as const);
    const answer: Message = { role: 'assistant', event: 'a', parts: calls, source: { provider: 'p', model: 'm' } };
    const results = calls.map(
      ({ id }, index): Message => ({
        role: 'tool',
        event: `r${index}`,
        call: { assistant: 'a', id },
        tool: 'read',
        parts: [{ type: 'text', text: ['one', 'two'][index] ?? '' }],
        status: 'ok',
      }),
    );
    const second = await say(stage, request([user('Go'), answer, ...results]));
    expect([first, second]).toEqual([
      ['text:Reading 你好🙂.', 'call:call_1_1 read {"path":"a"}', 'call:call_1_2 read {"path":"b"}', 'stop:calls'],
      ['text:Done.', 'stop:end'],
    ]);
  });

  test('the request that arrives is the prepared body', async () => {
    const stage = await open('- text: Hi');
    const prepared = stage.model.prepare(request([user('Go')]));
    for await (const _event of prepared.send(new AbortController().signal));
    expect(stage.requests().map(({ body }) => body)).toEqual([prepared.body.join('')]);
  });

  test('the first unused reply that matches is played', async () => {
    const stage = await open(`
- { when: { text: /two/ }, text: second }
- { when: { purpose: compaction }, text: summary }
- { when: { agent: finder }, text: found }
- { when: { system: Terse }, text: terse }
- { when: { text: again }, text: repeated, repeat: true }
- { when: { request: 7 }, text: seventh }
- { text: first }
`);
    const said = [
      await say(stage, request([user('one')])),
      await say(stage, request([user('two')])),
      await say(stage, request([user('x')], { purpose: 'compaction' })),
      await say(stage, request([user('x')], { agent: 'finder' })),
      await say(stage, request([user('again')])),
      await say(stage, request([user('again')])),
      await say(stage, request([user('x')])),
      await say(stage, request([user('x')], { system: 'Terse.' })),
    ];
    expect(said.map(([text]) => text)).toEqual(
      ['first', 'second', 'summary', 'found', 'repeated', 'repeated', 'seventh', 'terse'].map((text) => `text:${text}`),
    );
  });

  const LONG = 'a text that is long enough to be cut in its middle, as a fault wants it';
  test.each<[string, string[]]>([
    [`{ text: "${LONG}", fault: split-bytes }`, [`text:${LONG}`, 'stop:end']],
    [`{ text: "${LONG}", fault: { kind: stall, ms: 900 } }`, [`text:${LONG}`, 'stop:end']],
    [
      `{ text: "${LONG}", fault: reset }`,
      ['partial:a text that is long enough to be cut in its midd', 'error:network'],
    ],
    [
      `{ text: "${LONG}", fault: malformed }`,
      ['partial:a text that is long enough to be cut in its midd', 'error:malformed'],
    ],
    [
      `{ text: "${LONG}", fault: truncated }`,
      ['partial:a text that is long enough to be cut in its midd', 'error:truncated'],
    ],
    ['{ text: Hi, fault: { kind: status, times: 2 } }', ['wait:1000', 'wait:2000', 'text:Hi', 'stop:end']],
    [
      '{ text: Hi, fault: { kind: status, status: 429, headers: { Retry-After: 7 } } }',
      ['wait:7000', 'text:Hi', 'stop:end'],
    ],
    ['{ status: 401 }', ['error:auth']],
    ['{ text: "x", stop: length }', ['text:x', 'stop:length']],
  ])('%s', async (reply, said) => {
    expect(await say(await open(`- ${reply}`), request([user('Go')]))).toEqual(said);
  });
});

test('a stall in the headers is waited out by the clock', async () => {
  const host = createMemoryHost();
  const script = await parseRehearsal('- { text: Hi, fault: { kind: stall, ms: 700, at: headers } }', 'play.yaml');
  for await (const _event of createRehearsalModel(script, host)
    .prepare(request([user('Go')]))
    .send(new AbortController().signal));
  expect(host.clock.slept).toEqual([700]);
});

describe.each(WAYS)('a server with rules of its own, %s,', (_way, open) => {
  const CALL = { type: 'call', id: 'call_1_1', name: 'read', arguments: '{}' } as const;
  const CALLED = '- { reasoning: I see., calls: [{ name: read }] }';

  function history(provider: string, model: string, reasoning: string | null): Message[] {
    const thought = reasoning === null ? [] : [{ type: 'reasoning', text: reasoning } as const];
    return [
      user('Go'),
      { role: 'assistant', event: 'a', parts: [...thought, CALL], source: { provider, model } },
      {
        role: 'tool',
        event: 'r',
        call: { assistant: 'a', id: CALL.id },
        tool: 'read',
        parts: [{ type: 'text', text: 'x' }],
        status: 'ok',
      },
    ];
  }

  const picture = (count: number): Message => ({
    role: 'user',
    event: 'p',
    from: 'user',
    alone: false,
    parts: Array.from({ length: count }, () => ({ type: 'media', sha256: 'x', mime: 'image/png' })),
  });
  const media = () => ({ mime: 'image/png', base64: 'AA==' });

  test.each<[string, string, (info: ModelPort['info']) => ModelRequest[], string[][]]>([
    [
      'takes its own reasoning back',
      `server: { reasoning: echoed }\nreplies:\n${CALLED}\n- text: Done`,
      ({ provider, id }) => [request([user('Go')]), request(history(provider, id, 'I see.'))],
      [
        ['call:call_1_1 read {}', 'stop:calls'],
        ['text:Done', 'stop:end'],
      ],
    ],
    [
      'refuses another',
      `server: { reasoning: echoed }\nreplies:\n${CALLED}\n- text: Done`,
      ({ provider, id }) => [request([user('Go')]), request(history(provider, id, 'I saw.'))],
      [['call:call_1_1 read {}', 'stop:calls'], ['error:bad-request']],
    ],
    [
      'refuses calls without reasoning',
      'server: { reasoning: required }\nreplies: [{ text: Done }]',
      ({ provider, id }) => [request(history(provider, id, null)), request(history(provider, id, 'Hm.'))],
      [['error:bad-request'], ['text:Done', 'stop:end']],
    ],
    [
      'refuses fields',
      'server: { refuses: stream_options }\nreplies: [{ text: Done }]',
      () => [request([user('Go')])],
      [['error:bad-request']],
    ],
    [
      'refuses too many pictures',
      'server: { most_images: 1 }\nreplies: [{ text: Done }]',
      () => [request([picture(2)], { media }), request([picture(1)], { media })],
      [['error:bad-request'], ['text:Done', 'stop:end']],
    ],
    [
      'refuses ids of another form',
      'server: { call_ids: nine }\nreplies: [{ text: Done }]',
      ({ provider, id }) => [request(history(provider, id, null))],
      [['error:bad-request']],
    ],
    [
      'numbers all calls alike',
      'server: { call_index: zero, finish_reason: eos }\nreplies: [{ calls: [{ name: read }, { name: read, arguments: { a: 1 } }] }]',
      () => [request([user('Go')])],
      [['call:call_1_1 read {}', 'call:call_1_2 read {"a":1}', 'stop:calls']],
    ],
  ])('%s', async (_title, text, requests, said) => {
    const stage = await open(text);
    const heard: string[][] = [];
    for (const asked of requests(stage.model.info)) heard.push(await say(stage, asked));
    const failures = stage.requests().flatMap((captured) => captured.failures);
    expect({ heard: heard.map((lines) => lines.filter((line) => !line.startsWith('reasoning'))), failures }).toEqual({
      heard: said,
      failures: [],
    });
  });
});

async function failureOf(
  script: string,
  asked: ModelRequest,
): Promise<{ fault: string; message: string; failures: readonly string[] }> {
  const model = createRehearsalModel(await parseRehearsal(script, 'play.yaml'), createMemoryHost());
  try {
    for await (const _event of model.prepare(asked).send(new AbortController().signal));
  } catch (error) {
    if (error instanceof ModelError) return { fault: error.fault, message: error.message, failures: model.failures() };
  }
  return { fault: 'none', message: '', failures: model.failures() };
}

test.each<[string, ProviderSettings, readonly string[]]>([
  ['nothing is said', {}, ['model/bad-request']],
  ['its quirk is said', { quirks: { stream_usage: false } }, ['text-start', 'text-delta', 'text-end', 'finish']],
])(
  'what a user says of the servers of rehearsals is tried on a stricter one: %s',
  async (_name, described, expected) => {
    const script = await parseRehearsal(
      '{ server: { refuses: [stream_options] }, replies: [{ text: Hi }] }',
      'play.yaml',
    );
    const model = createRehearsalModel(script, createMemoryHost(), described);
    const seen: string[] = [];
    try {
      for await (const { type } of model.prepare(request([user('Go')])).send(new AbortController().signal))
        seen.push(type);
    } catch (error) {
      seen.push(error instanceof ModelError ? error.code : String(error));
    }
    expect(seen).toEqual(expected);
  },
);

describe('a rehearsal ends the run', () => {
  test.each<[string, string, string]>([
    [
      'when no reply is left',
      '[]',
      'request 1: no reply is left: all 0 of play.yaml were played (the last user text: "Go")',
    ],
    [
      'when none matches',
      '- { when: { text: x }, text: y }',
      'request 1: no reply matches: 0 of 1 of play.yaml were played (the last user text: "Go")',
    ],
    [
      'when the system prompt lacks what is expected',
      '- text: a\n  expect: { system_contains: /AGENTS/ }',
      'play.yaml:1: request 1 does not meet expect: system_contains /AGENTS/: the system prompt (9 characters) lacks it',
    ],
    [
      'when the system prompt has what it must not',
      '- expect: { system_lacks: brief }',
      'play.yaml:1: request 1 does not meet expect: system_lacks "brief": the system prompt has it: "Be brief." at character 3',
    ],
    [
      'when the number of messages differs',
      '- expect: { messages: 2 }',
      'play.yaml:1: request 1 does not meet expect: messages 2: there are 1 (user)',
    ],
    [
      'when the tools differ',
      '- expect: { tools: [write] }',
      'play.yaml:1: request 1 does not meet expect: tools: write not offered; read offered as well',
    ],
    [
      'when the last user text differs',
      '- expect: { last_user: Stop }',
      'play.yaml:1: request 1 does not meet expect: last_user "Stop": it is "Go"',
    ],
    [
      'when there is no such result',
      '- expect: { tool_result: ok }',
      'play.yaml:1: request 1 does not meet expect: tool_result "ok": no result ends the conversation',
    ],
  ])('%s', async (_title, script, message) => {
    expect(await failureOf(script, request([user('Go')]))).toEqual({
      fault: 'rehearsal',
      message,
      failures: [message],
    });
  });

  test('when a request breaks the rules of the wire', async () => {
    const message = 'request 1: messages[1]: an empty user message';
    expect(await failureOf('- text: a', request([user('')]))).toEqual({
      fault: 'rehearsal',
      message,
      failures: [message],
    });
  });
});

describe('the server', () => {
  async function ask(
    target: string,
    wire: 'chat' | 'responses',
    method: 'GET' | 'POST' = 'POST',
    body = '',
  ): Promise<unknown> {
    const host = createMemoryHost();
    const server = await serveRehearsal({ host, script: await parseRehearsal('- text: a', 'play.yaml'), wire });
    const timeouts = { connectMs: null, headersMs: null, idleMs: null };
    const { signal } = new AbortController();
    const url = server.url.replace(/\/v1$/, target);
    const response = await host.http.request({ url, method, headers: {}, body, signal, timeouts });
    const chunks: Uint8Array[] = [];
    for await (const chunk of response.body) chunks.push(chunk);
    const value = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return [response.status, value.error?.message ?? value];
  }

  test.each<[string, 'chat' | 'responses', 'GET' | 'POST', number, unknown]>([
    [
      '/v1/models',
      'chat',
      'GET',
      200,
      { object: 'list', data: [{ id: 'rehearsal', object: 'model', owned_by: 'rehearsal' }] },
    ],
    ['/v1/responses', 'responses', 'POST', 501, 'this version plays no rehearsal over the responses wire yet'],
    ['/v1/messages', 'chat', 'POST', 404, 'this rehearsal speaks the chat wire: POST …/chat/completions'],
    ['/v1/chat/completions', 'chat', 'GET', 405, '/v1/chat/completions takes POST'],
    ['/nothing?x=1', 'chat', 'POST', 404, 'a rehearsal has nothing at /nothing'],
    ['/chat/completions', 'chat', 'POST', 400, 'request 1: the body is not a JSON object'],
  ])('answers %s (%s, %s) with %i', async (target, wire, method, status, answer) => {
    expect(await ask(target, wire, method)).toEqual([status, answer]);
  });
});
