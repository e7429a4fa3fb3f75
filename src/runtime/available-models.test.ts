import { expect, test } from 'vitest';
import type { HttpRequest, HttpResponse } from '../host/index.ts';
import { createMemoryHost, type MemoryHostOptions } from '../host/memory/index.ts';
import { availableModels } from './available-models.ts';

const SETTINGS = '/home/user/.config/rein/settings.json';

function list(...ids: string[]): HttpResponse {
  const text = JSON.stringify({ data: ids.map((id) => ({ id })) });
  return {
    status: 200,
    headers: {},
    body: (async function* () {
      yield new TextEncoder().encode(text);
    })(),
  };
}

function machine(options: MemoryHostOptions, answer: (request: HttpRequest) => HttpResponse) {
  return createMemoryHost({ sleep: 'manual', ...options, http: answer });
}

test('those with a key and the user’s own are asked, each with its own key; a failure keeps no other from answering', async () => {
  const host = machine(
    {
      env: { OPENAI_API_KEY: 'k-openai', MINE_KEY: 'k-mine', DEEPSEEK_API_KEY: 'k-deep' },
      files: {
        [SETTINGS]: '{ "providers": { "mine": { "base_url": "http://u:p@mine:1/v1", "api_key_env": "MINE_KEY" } } }',
      },
    },
    ({ url }) => (url.includes('deepseek') ? { ...list(), status: 500 } : list('b', 'a')),
  );
  expect(await availableModels({}, host)).toEqual([
    { provider: 'mine', url: 'http://[masked]@mine:1/v1', models: ['mine/a', 'mine/b'], problem: null },
    { provider: 'openai', url: 'https://api.openai.com/v1', models: ['openai/a', 'openai/b'], problem: null },
    {
      provider: 'deepseek',
      url: 'https://api.deepseek.com/v1',
      models: [],
      problem: 'it answered 500, without a list of models',
    },
  ]);
  expect(host.http.requests.map(({ headers }) => headers.authorization)).toEqual([
    'Bearer k-mine',
    'Bearer k-openai',
    'Bearer k-deep',
  ]);
});

test('an ad hoc server is asked alone, and no other provider’s key goes to it', async () => {
  const host = machine({ env: { OPENAI_API_KEY: 'k-openai' } }, () => list('org/m'));
  expect(await availableModels({ baseUrl: 'http://127.0.0.1:9/v1' }, host)).toEqual([
    { provider: 'custom', url: 'http://127.0.0.1:9/v1', models: ['org/m'], problem: null },
  ]);
  expect(host.http.requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([
    ['http://127.0.0.1:9/v1/models', undefined],
  ]);
});

test('with nobody to ask it says what to do', async () => {
  await expect(
    availableModels(
      {},
      machine({}, () => list()),
    ),
  ).rejects.toMatchObject({ code: 'models/nobody-to-ask' });
});
