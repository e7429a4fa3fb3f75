import { expect, test } from 'vitest';
import { FakeAgent, RESULT, type Scripted } from '../../test/rig/fake-agent.ts';
import { FakeStdio, type FakeStdioOptions } from '../../test/rig/fake-stdio.ts';
import { ReinError, UsageError } from '../base/index.ts';
import type { RunResult, StreamEvent } from '../model/index.ts';
import { type PrintJob, runPrint } from './run-print.ts';

const tick = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function start(job: Partial<PrintJob>, script: Scripted = {}, options: FakeStdioOptions = {}) {
  const stdio = new FakeStdio(options);
  const agent = new FakeAgent(script);
  const whole: PrintJob = { output: 'text', input: { type: 'prompt', argument: 'hi' }, options: {}, ...job };
  const ended = runPrint(whole, { stdio, createAgent: agent.create, wait: tick });
  return { stdio, agent, ended };
}

async function run(job: Partial<PrintJob>, script: Scripted = {}, options: FakeStdioOptions = {}) {
  const { stdio, agent, ended } = start(job, script, options);
  const code = await ended;
  return { code, stdout: stdio.output.text, stderr: stdio.errors.text, agent, stdio };
}

const COMMANDS: Partial<PrintJob> = { output: 'stream-json', input: { type: 'commands' } };

const call = (id: string, name: string, args: object) => ({
  type: 'call' as const,
  id,
  name,
  arguments: JSON.stringify(args),
});

const WORK: StreamEvent[] = [
  {
    type: 'session',
    version: 1,
    program: 'rein/0',
    id: 's1',
    time: '2026-01-01T00:00:00Z',
    cwd: '/repo',
    projectRoot: null,
    kind: 'main',
    spawnedBy: null,
    forkedFrom: null,
  },
  {
    type: 'diagnostic',
    diagnostic: { severity: 'warning', code: 'x/y', message: 'odd', path: '/repo/AGENTS.md', line: 3 },
  },
  { type: 'retry-wait', attempt: 2, delayMs: 1500, why: 'the server is\u001b[2J busy' },
  { type: 'text-delta', text: 'working' },
  {
    type: 'assistant',
    id: 'e1',
    parentId: null,
    time: 't',
    request: 'r',
    parts: [call('1', 'edit', { path: '/repo/src/a.js', old: 'x' }), call('2', 'shell', { command: 'npm\n  test' })],
    stop: 'calls',
    usage: RESULT.usage,
  },
  {
    type: 'tool-result',
    id: 'e2',
    parentId: 'e1',
    time: 't',
    call: { assistant: 'e1', id: '1' },
    tool: 'edit',
    parts: [{ type: 'text', text: 'not allowed\nhere' }],
    status: 'denied',
    observed: [],
  },
  {
    type: 'tool-result',
    id: 'e3',
    parentId: 'e2',
    time: 't',
    call: { assistant: 'e1', id: '2' },
    tool: 'shell',
    parts: [{ type: 'text', text: 'Error: /bin/sh does not exist.' }],
    status: 'error',
    observed: [],
  },
];

test('text: the answer and a newline on stdout, nothing else anywhere', async () => {
  const { code, stdout, stderr, agent } = await run({});
  expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'the answer\n', stderr: '' });
  expect({ prompts: agent.prompts, closed: agent.closed }).toEqual({ prompts: ['hi'], closed: true });
});

test('text: diagnostics, calls and waits are one line each on stderr', async () => {
  const { stdout, stderr } = await run(
    {},
    { events: WORK, diagnostics: [{ severity: 'info', code: 'a/b', message: 'read as a file' }] },
  );
  expect(stdout).toBe('the answer\n');
  expect(stderr.split('\n')).toEqual([
    'info: read as a file',
    '/repo/AGENTS.md:3: warning: odd',
    'rein: the server is busy; retry 2 in 1.5 s',
    '· edit src/a.js',
    '· shell npm test',
    '! edit src/a.js: denied: not allowed here',
    '! shell npm test: error: /bin/sh does not exist.',
    '',
  ]);
});

test.each([
  ['length', 'rein: the answer was cut by the output limit of the model\n'],
  ['filter', 'rein: the provider withheld the answer or a part of it\n'],
  ['end', 'rein: the model’s answer was empty\n'],
] as const)('text: an answer without content that stopped by %s is told as such on stderr', async (stop, line) => {
  const assistant = WORK.flatMap((event) => (event.type === 'assistant' ? [{ ...event, parts: [], stop }] : []));
  expect((await run({}, { events: assistant })).stderr).toBe(line);
});

test('the same diagnostic is told once', async () => {
  const diagnostic = { severity: 'warning' as const, code: 'x/y', message: 'odd' };
  const event: StreamEvent = { type: 'notice', id: 'n', time: 't', diagnostic };
  expect((await run({}, { diagnostics: [diagnostic], events: [event, event] })).stderr).toBe('warning: odd\n');
});

test('a pipe gets the bytes of the answer, a terminal nothing that steers it', async () => {
  const script = { result: { result: 'a\u001b[31mb\u0007\n\tc' } };
  expect((await run({}, script)).stdout).toBe('a\u001b[31mb\u0007\n\tc\n');
  expect((await run({}, script, { outputTerminal: true })).stdout).toBe('ab\n\tc\n');
});

test('json: one object on stdout, calls and diagnostics on stderr', async () => {
  const { code, stdio, stderr } = await run({ output: 'json' }, { events: WORK.slice(0, 2) });
  expect({ code, json: stdio.output.json(), stderr }).toEqual({
    code: 0,
    json: [RESULT],
    stderr: '/repo/AGENTS.md:3: warning: odd\n',
  });
});

test('stream-json: every event on a line as it comes, the result last, nothing on stderr', async () => {
  const diagnostic = { severity: 'info' as const, code: 'a/b', message: 'read as a file' };
  const { stdio, stderr } = await run({ output: 'stream-json' }, { events: WORK, diagnostics: [diagnostic] });
  expect({ json: stdio.output.json(), stderr }).toEqual({
    json: [{ type: 'diagnostic', diagnostic }, ...WORK, RESULT],
    stderr: '',
  });
});

test('stream-json: an event is written when it comes, not at the end', async () => {
  const { stdio, ended, agent } = start({ output: 'stream-json' }, { events: WORK.slice(3, 4), endless: true });
  await tick();
  expect(stdio.output.json()).toEqual([{ type: 'text-delta', text: 'working' }]);
  agent.abort();
  await ended;
});

const failures: readonly [what: string, result: Partial<RunResult>, code: number, stderr: string][] = [
  [
    'a model error',
    { stopReason: 'error', error: { kind: 'model/auth', message: 'the key was refused' } },
    1,
    'the key was refused',
  ],
  ['too many requests', { stopReason: 'max_turns', turns: 3 }, 1, 'stopped after 3 model requests (--max-turns)'],
  [
    'a missing permission',
    { stopReason: 'permission' },
    3,
    'stopped: a call needed a permission and nobody could be asked (--permission-mode)',
  ],
];

test('a failure that the caller can put right ends with 2', async () => {
  const message = 'no facet "plam"; did you mean "plan"?';
  const result = { stopReason: 'error' as const, result: '', error: { kind: 'facet/unknown', message } };
  const { code, stderr } = await run({}, { result, failure: new UsageError('facet/unknown', message) });
  expect([code, stderr]).toEqual([2, `rein: ${message}\n`]);
});

test.each(failures)(
  '%s ends with its exit code, one line, and in json the object',
  async (_what, change, code, line) => {
    const result = { ...change, result: '' };
    const text = await run({}, { result });
    expect([text.code, text.stdout, text.stderr]).toEqual([code, '', `rein: ${line}\n`]);
    const json = await run({ output: 'json' }, { result });
    expect([json.code, json.stdio.output.json(), json.stderr]).toEqual([
      code,
      [{ ...RESULT, ...result }],
      `rein: ${line}\n`,
    ]);
  },
);

test('a mistake in the configuration ends with 2, before any prompt', async () => {
  const stdio = new FakeStdio();
  const createAgent = () => Promise.reject(new UsageError('model/none-configured', 'no model'));
  const job: PrintJob = { output: 'json', input: { type: 'prompt', argument: 'hi' }, options: { model: 'x/y' } };
  expect(await runPrint(job, { stdio, createAgent, wait: tick })).toBe(2);
  expect([stdio.errors.text, stdio.output.json()]).toEqual([
    'rein: no model\n',
    [
      {
        ...RESULT,
        sessionId: null,
        harness: '',
        model: 'x/y',
        stopReason: 'error',
        result: '',
        turns: 0,
        error: { kind: 'model/none-configured', message: 'no model' },
      },
    ],
  ]);
});

test('a missing prompt ends with 2 and closes the agent that was being opened', async () => {
  const { code, stderr, agent } = await run({ input: { type: 'prompt', argument: null } });
  expect([code, stderr, agent.closed, agent.prompts]).toEqual([
    2,
    'rein: no prompt: give it as an argument (rein -p "…") or pipe it in\n',
    true,
    [],
  ]);
});

test('an error thrown by the run is told with what was reached, 2 for a usage error, else 1', async () => {
  const usage = await run({ output: 'json' }, { throws: new UsageError('facet/broken', 'does not render') });
  expect([usage.code, usage.stdio.output.json(), usage.agent.closed]).toEqual([
    2,
    [{ ...RESULT, stopReason: 'error', error: { kind: 'facet/broken', message: 'does not render' } }],
    true,
  ]);
  const known = await run({}, { throws: new ReinError('session/full', 'disk full') });
  expect([known.code, known.stderr]).toEqual([1, 'rein: disk full\n']);
  const unknown = await run({}, { throws: new TypeError('oops') });
  expect([unknown.code, unknown.stderr]).toEqual([1, 'rein: internal error: oops\n']);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)('%s aborts the turn, keeps what came and ends with %i', async (signal, code) => {
  const { stdio, agent, ended } = start({ output: 'json' }, { endless: true, result: { result: 'part' } });
  await tick();
  stdio.interrupt(signal);
  expect(await ended).toBe(code);
  expect([stdio.output.json(), stdio.errors.text, agent.closed, stdio.exited]).toEqual([
    [{ ...RESULT, result: 'part', stopReason: 'aborted' }],
    'rein: interrupted\n',
    true,
    null,
  ]);
});

test('a second signal ends the process at once', async () => {
  const { stdio, agent, ended } = start({}, { endless: true });
  agent.abort = () => undefined;
  await tick();
  stdio.interrupt();
  stdio.interrupt();
  expect(stdio.exited).toBe(130);
  FakeAgent.prototype.abort.call(agent);
  await ended;
});

test('a signal while stdin is read ends it, without a prompt', async () => {
  const input = { chunks: ['half'], open: true };
  const { stdio, agent, ended } = start({ input: { type: 'prompt', argument: '-' } }, {}, { input });
  await tick();
  stdio.interrupt();
  expect([await ended, agent.prompts, agent.closed]).toEqual([130, [], true]);
});

test('a broken pipe ends the run quietly', async () => {
  const { stdio, agent, ended } = start({ output: 'stream-json' }, { endless: true });
  await tick();
  stdio.breakPipe();
  expect([await ended, stdio.errors.text, agent.aborted, agent.closed]).toEqual([0, '', true, true]);
});

test('commands are sent in order, those that are none are answered with an error', async () => {
  const lines = [
    '{"type":"prompt","text":"one","tag":"a"}',
    'nonsense',
    '{"type":"titel","tag":"b"}',
    '{"type":"reload"}',
  ];
  const { code, agent, stdio, stderr } = await run(COMMANDS, {}, { input: { chunks: [`${lines.join('\n')}\n`] } });
  expect([code, stderr, agent.commands]).toEqual([
    0,
    '',
    [{ type: 'prompt', text: 'one', tag: 'a' }, { type: 'reload' }],
  ]);
  expect(stdio.output.json()).toEqual([
    { type: 'done', tag: 'a' },
    { type: 'error', code: 'command/not-json', message: 'the line is not a JSON object' },
    { type: 'error', tag: 'b', code: 'command/unknown', message: 'unknown command "titel": did you mean "title"?' },
    { type: 'done' },
    RESULT,
  ]);
});

test('"end" stops the reading, although stdin stays open', async () => {
  const input = { chunks: ['{"type":"end","tag":"z"}\n{"type":"reload"}\n'], open: true };
  const { code, agent, stdio } = await run(COMMANDS, {}, { input });
  expect([code, agent.commands, stdio.input.released]).toEqual([0, [{ type: 'end', tag: 'z' }], true]);
});

test('the end of stdin waits for the running turn', async () => {
  const { agent, ended } = start(COMMANDS, { endless: true }, { input: { chunks: ['{"type":"prompt","text":"x"}'] } });
  let done = false;
  void ended.then(() => {
    done = true;
  });
  await tick();
  expect([done, agent.closed]).toEqual([false, false]);
  agent.abort();
  expect(await ended).toBe(130);
});

test('a signal ends a stream of commands that nobody ends', async () => {
  const { stdio, ended, agent } = start(COMMANDS, {}, { input: { open: true } });
  await tick();
  stdio.interrupt('SIGTERM');
  expect([await ended, agent.closed]).toEqual([143, true]);
  expect([stdio.output.json().at(-1), stdio.errors.text]).toEqual([
    { ...RESULT, stopReason: 'aborted' },
    'rein: interrupted\n',
  ]);
});

test('a client that sends commands answers questions until stdin ends; with one prompt nobody answers', async () => {
  const input = { chunks: ['{"type":"prompt","text":"a"}\n'] };
  const { agent, ended } = start(COMMANDS, { endless: true }, { input });
  for (let turns = 0; agent.answering && turns < 50; turns += 1) await tick();
  expect([agent.options?.answers, agent.answering, agent.aborted]).toEqual([true, false, false]);
  agent.abort();
  await ended;
  expect((await run({})).agent.options?.answers).toBe(false);
});
