import { describe, expect, test } from 'vitest';
import { UsageError } from '../../base/index.ts';
import { PROVIDERS } from './providers.ts';
import { type ProviderQuery, resolveProvider } from './resolve-provider.ts';

function resolve(model: string, env: Record<string, string> = {}, extra: Partial<ProviderQuery> = {}): unknown {
  try {
    return resolveProvider({ model, env: (name) => env[name], ...extra });
  } catch (error) {
    return error instanceof UsageError ? `${error.code}: ${error.message}` : error;
  }
}

function info(provider: string, id: string): unknown {
  return { provider, id, wire: 'chat', contextWindow: null, outputLimit: null };
}

test('the name is split at the first slash, the model may hold more', () => {
  expect(resolve('openrouter/anthropic/claude-x', { OPENROUTER_API_KEY: ' sk-1 ' })).toEqual({
    info: info('openrouter', 'anthropic/claude-x'),
    baseUrl: 'https://openrouter.ai/api/v1',
    apiKey: 'sk-1',
    keyName: 'OPENROUTER_API_KEY',
  });
});

test("with a base URL nothing is split and no other provider's key is sent", () => {
  const env = { OPENAI_API_KEY: 'sk-1' };
  expect(resolve('openai/gpt', env, { baseUrl: 'http://gpu:1/v1' })).toEqual({
    info: info('custom', 'openai/gpt'),
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
