import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { PROGRAM, untilEnd } from './rig/program.ts';
import { rawServer, say } from './rig/raw-server.ts';
import { messagesOf, type Workspace, workspace } from './rig.ts';
import { verifies } from './verifies.ts';

const CUT = '{"path":"a.md","content":"# long';

/** Bodies that differ, in order: attempts with the same one count once. */
function differentBodies(w: Workspace): number {
  return new Set(w.requests().map(({ body }) => body)).size;
}

for (const [title, reply] of [
  ['cut by the limit', { stop: 'length' }],
  ['cut without a word', { stop: 'end' }],
  ['cut off with its connection', { fault: { kind: 'reset' } }],
  ['that ends with its stream', { fault: { kind: 'truncated' } }],
] as const) {
  verifies('C85', `a write call ${title} writes nothing, and the model is told of the limit`, async () => {
    const w = await workspace(
      { '.git/': null },
      { replies: [{ calls: [{ name: 'write', arguments: CUT }], ...reply }, { text: 'in pieces then' }] },
    );
    const { stdout } = await w.print(['--permission-mode', 'yolo', 'hello']);
    const told = messagesOf(w.requests()[1]).at(-1);
    expect({ stdout, exists: existsSync(w.path('a.md')), role: told?.role }).toEqual({
      stdout: 'in pieces then\n',
      exists: false,
      role: 'user',
    });
    expect(told?.content).toMatch(
      /output limit[^.]*before its tool calls \(write\) were complete\. None of them was run\..*smaller pieces/,
    );
  });
}

verifies('C85', 'a call that is cut each time ends the run after three answers', async () => {
  const w = await workspace(
    { '.git/': null },
    { replies: [{ calls: [{ name: 'write', arguments: CUT }], stop: 'length', repeat: true }] },
  );
  const { code, stderr } = await w.run(['-p', '--permission-mode', 'yolo', 'hello']);
  expect({ code, requests: w.requests().length, exists: existsSync(w.path('a.md')) }).toEqual({
    code: 1,
    requests: 3,
    exists: false,
  });
  expect(stderr).toMatch(/cut by its output limit 3 times in a row/);
});

const slowHeaders = (ms: number) => (response: Parameters<ReturnType<typeof say>>[0]) => {
  setTimeout(() => say('late')(response), ms);
};

verifies('C87', 'a server on this machine is waited for, and the wait can be bounded by a setting', async () => {
  const w = await workspace({ '.git/': null });
  const server = await rawServer([slowHeaders(1500)]);
  const env = { REIN_BASE_URL: server.url };
  expect((await w.print(['hello'], { env })).stdout).toBe('late\n');
  const custom = { headers_timeout_ms: 300, retries: 0 };
  const { code, stderr } = await w.run(['-p', '-c', `providers=${JSON.stringify({ custom })}`, 'hello'], { env });
  expect({ code, said: /no answer within 0\.3 s/.test(stderr) }).toEqual({ code: 1, said: true });
});

verifies('C87', 'a long silence is ended by an abort at once', async () => {
  const w = await workspace(
    { '.git/': null },
    { replies: [{ text: 'late', fault: { kind: 'stall', ms: 60_000, at: 'headers' } }] },
  );
  const child = spawn(process.execPath, [PROGRAM, '-p', 'hello'], {
    cwd: w.project,
    env: w.environment(),
    stdio: 'pipe',
  });
  child.stdin.end();
  while (w.requests().length === 0) await sleep(20);
  const started = performance.now();
  child.kill('SIGINT');
  const { code } = await untilEnd(child);
  expect({ code, soon: performance.now() - started < 3000 }).toEqual({ code: 130, soon: true });
});

verifies(
  'C88',
  'passing failures are waited out as the server asks, and the turn goes on after a lost stream',
  async () => {
    const date = new Date(Math.ceil((Date.now() + 5000) / 1000) * 1000).toUTCString();
    const w = await workspace(
      { '.git/': null },
      {
        replies: [
          { fault: { kind: 'status', status: 429, headers: { 'retry-after': '2' } } },
          { fault: { kind: 'status', status: 529 } },
          { fault: { kind: 'status', status: 503, headers: { 'retry-after': date } } },
          { fault: { kind: 'status', status: 499, headers: { 'retry-after-ms': '50' } } },
          { text: 'a text that is long enough to be cut in its middle, as a reset wants it', fault: { kind: 'reset' } },
          { text: 'done' },
        ],
      },
    );
    const { stdout } = await w.print(['--output', 'stream-json', 'hello']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string; delayMs: number; result: string });
    const waits = lines.filter(({ type }) => type === 'retry-wait').map(({ delayMs }) => delayMs);
    const [, backoff = 0, untilDate = 0] = waits;
    expect({ result: lines.at(-1)?.result, requests: w.requests().length, bodies: differentBodies(w), waits }).toEqual({
      result: 'done',
      requests: 6,
      bodies: 1,
      // By the header, by backoff, by the date, by the header, and the turn's own after a lost stream.
      waits: [2000, backoff, untilDate, 50, 1000],
    });
    expect(backoff >= 1500 && backoff <= 2500).toBe(true);
    expect(untilDate > 0 && untilDate < 4000).toBe(true);
  },
);

verifies('C88', 'a user who wants no retries gets none, also of a stream that was lost', async () => {
  const w = await workspace(
    { '.git/': null, '~/.config/rein/settings.json': '{ "providers": { "custom": { "retries": 0 } } }' },
    {
      replies: [
        { text: 'a text that is long enough to be cut in its middle, as a reset wants it', fault: { kind: 'reset' } },
      ],
    },
  );
  const { code } = await w.run(['-p', 'hello']);
  expect({ code, requests: w.requests().length }).toEqual({ code: 1, requests: 1 });
});

for (const [title, status, message, kind] of [
  [
    'a quota that is used up',
    429,
    'You exceeded your current quota, please check your plan and billing details',
    'model/quota',
  ],
  ['a wrong key', 401, 'Incorrect API key provided', 'model/auth'],
  ['a conversation that is too long', 400, "This model's maximum context length is 8192 tokens", 'model/overflow'],
] as const) {
  verifies('C88', `${title} is not asked again`, async () => {
    const body = JSON.stringify({ error: { message, code: 'x' } });
    const w = await workspace({ '.git/': null }, { replies: [{ fault: { kind: 'status', status, body, times: 9 } }] });
    const { code, stdout } = await w.run(['-p', '--output', 'json', 'hello']);
    const { error } = JSON.parse(stdout) as { error: { kind: string } };
    expect({ code, kind: error.kind, requests: w.requests().length }).toEqual({ code: 1, kind, requests: 1 });
  });
}

verifies('C88', 'a tool that ran does not run again when a later stream is lost', async () => {
  const call = { name: 'bash', arguments: '{"command":"echo x >> out"}' };
  const w = await workspace(
    { '.git/': null },
    {
      replies: [
        { text: 'I will append a line to the file now, and say so at length.', calls: [call] },
        { text: 'a text that is long enough to be cut in its middle, as a reset wants it', fault: { kind: 'reset' } },
        { text: 'done' },
      ],
    },
  );
  const { stdout } = await w.print(['--permission-mode', 'yolo', 'hello']);
  expect({ stdout: stdout.endsWith('done\n'), lines: readFileSync(w.path('out'), 'utf8') }).toEqual({
    stdout: true,
    lines: 'x\n',
  });
});

verifies('C88', 'an abort ends the wait for the next attempt', async () => {
  const w = await workspace(
    { '.git/': null },
    { replies: [{ text: 'never', fault: { kind: 'status', status: 429, headers: { 'retry-after': '60' } } }] },
  );
  const session = w.stream();
  session.send({ type: 'prompt', text: 'hello' });
  await session.until((line) => line.type === 'retry-wait');
  const started = performance.now();
  session.send({ type: 'abort' });
  const end = await session.until((line) => line.type === 'turn-end');
  expect({ stop: end.stop, soon: performance.now() - started < 2000, requests: w.requests().length }).toEqual({
    stop: 'aborted',
    soon: true,
    requests: 1,
  });
});
