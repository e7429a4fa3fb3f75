import { describe, expect, test } from 'vitest';
import { UsageError } from '../../base/index.ts';
import type { ProviderSettings } from '../../model/index.ts';
import { DEFAULT_RETRY } from '../retry-policy.ts';
import { knownModel } from './known-models.ts';
import { PROVIDERS } from './providers.ts';
import { mergeQuirks } from './quirks.ts';
import { type ProviderQuery, resolveProvider } from './resolve-provider.ts';

/** Where it is and with which key; how it is spoken to has tests of its own. */
function resolve(model: string, env: Record<string, string> = {}, extra: Partial<ProviderQuery> = {}): unknown {
  try {
    const { info, baseUrl, apiKey, keyName } = resolveProvider({ model, env: (name) => env[name], ...extra });
    return { info, baseUrl, apiKey, keyName };
  } catch (error) {
    return error instanceof UsageError ? `${error.code}: ${error.message}` : error;
  }
}

function info(provider: string, id: string): unknown {
  return { provider, id, wire: 'chat', contextWindow: null, outputLimit: null };
}

test('the name is split at the first slash, the model may hold more', () => {
  expect(resolve('openrouter/anthropic/some-x', { OPENROUTER_API_KEY: ' sk-1 ' })).toEqual({
    info: info('openrouter', 'anthropic/some-x'),
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKey: 'sk-1',
    keyName: 'OPENROUTER_API_KEY',
  });
});

test("with a base URL nothing is split and no other provider's key is sent", () => {
  const env = { OPENAI_API_KEY: 'sk-1' };
  expect(resolve('openai/gpt-5', env, { baseUrl: 'http://gpu:1/v1' })).toEqual({
    info: info('custom', 'openai/gpt-5'),
    baseUrl: 'http://gpu:1/v1',
    apiKey: null,
    keyName: 'REIN_API_KEY',
  });
});

test("an ad hoc provider's key is REIN_API_KEY", () => {
  const resolved = resolve('m', { REIN_API_KEY: 'k' }, { baseUrl: 'http://gpu:1/v1' });
  expect(resolved).toMatchObject({ apiKey: 'k', keyName: 'REIN_API_KEY' });
});

test('the first variable that is set holds the key', () => {
  expect(resolve('google/g', { GEMINI_API_KEY: '', GOOGLE_API_KEY: 'k' })).toMatchObject({
    apiKey: 'k',
    keyName: 'GOOGLE_API_KEY',
  });
});

test('OPENAI_BASE_URL replaces the base URL', () => {
  expect(resolve('openai/m', { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'https://eu.test/v1' })).toMatchObject({
    baseUrl: 'https://eu.test/v1',
  });
});

test.each([
  [undefined, 'http://127.0.0.1:11434/v1'],
  ['0.0.0.0', 'http://127.0.0.1:11434/v1'],
  ['0.0.0.0:9000', 'http://127.0.0.1:9000/v1'],
  [':9000', 'http://127.0.0.1:9000/v1'],
  ['gpu', 'http://gpu:11434/v1'],
  ['https://ollama.test', 'https://ollama.test/v1'],
  ['http://gpu:1/v1', 'http://gpu:1/v1'],
])('with OLLAMA_HOST %s ollama is asked at %s, without a key', (host, baseUrl) => {
  expect(resolve('ollama/m', host === undefined ? {} : { OLLAMA_HOST: host })).toEqual({
    info: info('ollama', 'm'),
    baseUrl,
    apiKey: null,
    keyName: 'OLLAMA_API_KEY',
  });
});

describe('mistakes', () => {
  test.each<[string, string, Partial<ProviderQuery>, string]>([
    [
      'opnai/gpt',
      'a provider is mistyped',
      {},
      'wire/unknown-provider: unknown provider "opnai" in "opnai/gpt": did you mean "openai"?',
    ],
    [
      'gpt-5',
      'there is no provider',
      {},
      'wire/unknown-provider: "gpt-5" names no provider: write PROVIDER/MODEL, as in openai/gpt-5',
    ],
    ['openai', 'there is no model', {}, 'wire/unknown-provider: no model is named: use --model openai/MODEL'],
    ['openai/', 'the model is empty', {}, 'wire/no-model: no model is named: use --model openai/ID'],
    ['openai/m', 'the key is missing', {}, 'wire/no-key: provider "openai" needs a key: set OPENAI_API_KEY'],
    [
      'groq/m',
      'the wire is not spoken',
      { wire: 'responses' },
      'wire/unsupported: provider "groq" does not speak the responses wire, only chat',
    ],
    [
      'anthropic/m',
      'the wire is not built',
      {},
      'wire/not-built: the messages wire of provider "anthropic" is not built in this version: its models can be reached as openrouter/anthropic/MODEL',
    ],
    [
      'm',
      'the base URL is none',
      { baseUrl: 'gpu:80' },
      'wire/base-url: the base URL "gpu:80" is not an http or https URL',
    ],
    [
      '__proto__/m',
      'the provider is a word of the language',
      {},
      `wire/unknown-provider: unknown provider "__proto__" in "__proto__/m": known are ${[...Object.keys(PROVIDERS), 'rehearsal'].join(', ')}`,
    ],
  ])('%s: %s', (model, _what, extra, message) => {
    expect(resolve(model, {}, extra)).toBe(message);
  });

  test('a key with a line break is refused without being quoted', () => {
    expect(resolve('openai/m', { OPENAI_API_KEY: 'sk\n1' })).toBe(
      'wire/bad-key: OPENAI_API_KEY holds a blank or a character that no key has: set it again',
    );
  });
});

describe('the user’s settings', () => {
  const env = { MINE_KEY: 'k-mine', TENANT: 't-1', OPENAI_API_KEY: 'k-openai' };
  const settled = (
    model: string,
    providers: ProviderQuery['providers'],
    more: Partial<ProviderQuery> = {},
  ): unknown => {
    try {
      return resolveProvider({
        model,
        env: (name) => (env as Record<string, string>)[name],
        ...(providers && { providers }),
        ...more,
      });
    } catch (error) {
      return error instanceof UsageError ? `${error.code}: ${error.message}` : error;
    }
  };

  test('add a provider: address, key, headers, limits, models and their quirks', () => {
    const mine: ProviderSettings = {
      base_url: 'https://llm.test/v1',
      api_key_env: 'MINE_KEY',
      headers: { 'X-Tenant': { env: 'TENANT' }, 'X-App': 'rein' },
      context_window: 8000,
      reasoning: 'none',
      headers_timeout_ms: 0,
      idle_timeout_ms: 5000,
      retries: 1,
      quirks: { stream_usage: false, call_ids: 'word' },
      models: { 'a/b': { context_window: 16_000, modalities: ['text'], quirks: { call_ids: 'nine' } } },
    };
    expect(settled('mine/a/b', { mine })).toEqual({
      info: {
        provider: 'mine',
        id: 'a/b',
        wire: 'chat',
        contextWindow: 16_000,
        outputLimit: null,
        reasoning: 'none',
        modalities: ['text'],
      },
      baseUrl: 'https://llm.test/v1',
      apiKey: 'k-mine',
      keyName: 'MINE_KEY',
      quirks: mergeQuirks({ stream_usage: false, call_ids: 'nine' }),
      headers: { 'x-tenant': 't-1', 'x-app': 'rein' },
      secrets: ['t-1'],
      timeouts: { headersMs: null, idleMs: 5000 },
      retry: { ...DEFAULT_RETRY, max: 1 },
    });
  });

  test('add to a known provider, whose own quirks and models stay', () => {
    const openai: ProviderSettings = {
      quirks: { stream_usage: false },
      models: { 'gpt-5-x': { max_output_tokens: 9 } },
    };
    expect(settled('openai/gpt-5-x', { openai })).toMatchObject({
      info: { contextWindow: 272_000, outputLimit: 9, reasoning: 'effort', modalities: ['text', 'image'] },
      baseUrl: 'https://api.openai.com/v1',
      apiKey: 'k-openai',
      quirks: { stream_usage: false, max_tokens_field: 'max_completion_tokens', call_ids: 'word' },
    });
  });

  test('describe an ad hoc server as `custom`, and give it neither address nor credentials', () => {
    const custom: ProviderSettings = {
      base_url: 'https://other.test/v1',
      api_key_env: 'MINE_KEY',
      headers: { 'x-tenant': { env: 'TENANT' } },
      models: { m: { modalities: ['text'] } },
      quirks: { null_content: 'empty' },
    };
    expect(settled('m', { custom }, { baseUrl: 'http://gpu:1/v1' })).toMatchObject({
      info: { provider: 'custom', id: 'm', modalities: ['text'] },
      baseUrl: 'http://gpu:1/v1',
      apiKey: null,
      headers: {},
      quirks: { null_content: 'empty' },
    });
  });

  test('leave what is unknown of a model unknown, also where its name is a known one elsewhere', () => {
    const lone = { base_url: 'http://gpu:1/v1' };
    expect(settled('lone/gpt-5', { lone })).toMatchObject({ info: info('lone', 'gpt-5') });
  });

  test.each<[string, ProviderQuery['providers'], string]>([
    ['mine/m', { mine: {} }, 'wire/base-url: provider "mine" has no base URL: set providers.mine.base_url'],
    [
      'mine/m',
      { mine: { base_url: 'http://h/v1', api_key_env: 'NOT_SET' } },
      'wire/no-key: provider "mine" needs a key: set NOT_SET',
    ],
    [
      'mine/m',
      { mine: { base_url: 'http://h/v1', headers: { 'X-Org': { env: 'NOT_SET' } } } },
      'wire/no-header-value: provider "mine" needs a value for its header X-Org: set NOT_SET',
    ],
    [
      'mine/m',
      { mine: { base_url: 'http://h/v1', headers: { 'X Org': 'a' } } },
      'wire/bad-header: provider "mine": "X Org" is no name of a header',
    ],
    ['mina/m', { mine: {} }, 'wire/unknown-provider: unknown provider "mina" in "mina/m": did you mean "mine"?'],
    [
      'mine/m',
      { mine: { base_url: 'http://h/v1', wire: 'messages' } },
      'wire/not-built: the messages wire of provider "mine" is not built in this version: use --wire chat where it is spoken',
    ],
  ])('are told what they lack: %s with %j', (model, providers, message) => {
    expect(settled(model, providers)).toBe(message);
  });

  test('need no key for a preview', () => {
    const mine = { base_url: 'http://h/v1', api_key_env: 'NOT_SET', headers: { 'x-org': { env: 'NOT_SET' } } };
    expect(settled('mine/m', { mine }, { preview: true })).toMatchObject({
      apiKey: null,
      keyName: 'NOT_SET',
      headers: {},
    });
  });
});

test.each([
  ['openai/gpt-4o-mini', { context_window: 128_000, reasoning: 'none', modalities: ['text', 'image'] }],
  ['moonshotai/Kimi-K2.5', { context_window: 262_144, reasoning: 'toggle', modalities: ['text', 'image'] }],
  ['mystery-7b', {}],
])('of %s it is known: %j', (id, facts) => {
  expect(knownModel(id)).toEqual(facts);
});
