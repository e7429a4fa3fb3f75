import { expect, test } from 'vitest';
import { bodyOf, workspace } from './rig.ts';

const BARE = { REIN_BASE_URL: '', REIN_MODEL: '' };

function settings(url: string, provider: object): string {
  return JSON.stringify({ model: 'mine/a/b', providers: { mine: { base_url: url, ...provider } } });
}

test('a provider of the user’s settings is spoken to as they say, with its key, headers, limits and effort', async () => {
  const w = await workspace({ '.git/': null });
  const mine = {
    api_key_env: 'MINE_KEY',
    headers: { 'X-Tenant': { env: 'TENANT' }, 'X-App': 'yes' },
    models: {
      'a/b': {
        max_output_tokens: 1234,
        reasoning: 'budget',
        quirks: { stream_usage: false, max_tokens_field: 'max_completion_tokens' },
      },
    },
  };
  w.write('~/.config/rein/settings.json', settings(w.server.url, mine));
  await w.print(['--effort', 'low', 'hello'], { env: { ...BARE, MINE_KEY: 'k-1234567', TENANT: 't-7654321' } });
  const [request] = w.requests();
  const { messages: _messages, tools: _tools, ...fields } = bodyOf(request) as unknown as Record<string, unknown>;
  expect(fields).toEqual({
    model: 'a/b',
    max_completion_tokens: 1234,
    stream: true,
    thinking: { type: 'enabled', budget_tokens: 2048 },
  });
  expect(request?.headers).toMatchObject({ authorization: '[hidden]', 'x-tenant': 't-7654321', 'x-app': 'yes' });
});

test('a key or header value that is not set is told before anything is sent', async () => {
  const w = await workspace({ '.git/': null });
  for (const [provider, said] of [
    [{ api_key_env: 'MINE_KEY' }, 'provider "mine" needs a key: set MINE_KEY'],
    [
      { headers: { 'X-Tenant': { env: 'TENANT' } } },
      'provider "mine" needs a value for its header X-Tenant: set TENANT',
    ],
  ] as const) {
    w.write('~/.config/rein/settings.json', settings(w.server.url, provider));
    const { code, stderr } = await w.run(['-p', 'hello'], { env: BARE });
    expect({ code, stderr: stderr.trim() }).toEqual({ code: 2, stderr: `rein: ${said}` });
  }
  expect(w.requests()).toEqual([]);
});

test('a project cannot set providers', async () => {
  const w = await workspace({ '.git/': null });
  w.write('.rein/settings.json', settings(w.server.url, {}));
  const { code, stderr } = await w.run(['-p', '--model', 'mine/x', 'hello'], { env: BARE });
  expect({ code, said: stderr.includes('rein: unknown provider "mine" in "mine/x"') }).toEqual({ code: 2, said: true });
  expect(w.requests()).toEqual([]);
});

test('a value of a secret header is shown to nobody when the server repeats it', async () => {
  const body = '{"error":{"message":"tenant t-7654321 is unknown"}}';
  const w = await workspace(
    { '.git/': null },
    { replies: [{ fault: { kind: 'status', status: 400, body, times: 9 } }] },
  );
  w.write('~/.config/rein/settings.json', settings(w.server.url, { headers: { 'X-Tenant': { env: 'TENANT' } } }));
  const { code, stderr, stdout } = await w.run(['-p', '--output', 'json', 'hello'], {
    env: { ...BARE, TENANT: 't-7654321' },
  });
  expect({ code, leaked: (stdout + stderr).includes('t-7654321') }).toEqual({ code: 1, leaked: false });
});
