import { expect, test } from 'vitest';
import { formatDiagnostic } from '../base/index.ts';
import { createMemoryHost } from '../host/memory/index.ts';
import { type LoadedConfig, loadConfig } from './load-config.ts';

const USER = '/config/rein/settings.json';

function load(text: string, overrides: readonly string[] = []): Promise<LoadedConfig> {
  const { files, env } = createMemoryHost({ files: { [USER]: text, '/repo': { directory: true } } });
  return loadConfig({ files, env, cwd: '/repo', projectRoot: null, configHome: '/config', overrides, flags: {} });
}

const WHOLE = {
  base_url: 'http://127.0.0.1:8000/v1',
  api_key_env: 'MINE_KEY',
  wire: 'chat',
  headers: { 'X-Tenant': { env: 'TENANT' }, 'X-App': 'rein' },
  connect_timeout_ms: 0,
  headers_timeout_ms: 900_000,
  idle_timeout_ms: 60_000,
  retries: 0,
  context_window: 32_768,
  reasoning: 'budget',
  modalities: ['text', 'image'],
  quirks: {
    null_content: 'omit',
    reasoning_replay: 'reasoning',
    empty_reasoning: 'placeholder',
    reasoning_switch: 'enable_thinking',
    stream_usage: false,
    max_tokens_field: 'max_completion_tokens',
    max_tokens_cap: 4096,
    call_ids: 'nine',
    tool_images: 'in-result',
    answer_after_results: true,
    merge_user_messages: true,
    drop_fields: ['prompt_cache_key'],
  },
  models: { 'Qwen/Qwen3.5-9B': { max_output_tokens: 2048, reasoning: 'toggle', quirks: { stream_usage: true } } },
};

test('everything that can be said of a provider is taken as it is written', async () => {
  const { settings, diagnostics, origins } = await load(JSON.stringify({ providers: { mine: WHOLE } }));
  expect({ providers: settings.providers, diagnostics }).toEqual({ providers: { mine: WHOLE }, diagnostics: [] });
  expect(origins['providers.mine.headers.X-Tenant']).toEqual({ from: 'user', path: USER, line: 1 });
});

test('a run may bring a provider of its own', async () => {
  const providers = { mine: WHOLE };
  const { settings } = await load('{}', [`providers=${JSON.stringify(providers)}`]);
  expect(settings.providers).toEqual(providers);
});

test('each mistake is told with its line and column and the rest holds', async () => {
  const { settings, diagnostics } = await load(`{
  "providers": {
    "mine": {
      "base_url": "localhost:8000",
      "api_key": "sk-1",
      "headers": { "X-Org": { "variable": "ORG" }, "X-Line": "a\\nb", "X-Good": "yes" },
      "retries": 99,
      "quirks": { "stream_usage": "no", "call_ids": "ten", "drop_fields": ["a b"], "strem_usage": true },
      "models": { "m": { "modalities": ["text", "video"], "reasoning": "maybe", "context_window": "8k" } }
    }
  }
}`);
  expect(settings.providers).toEqual({ mine: { headers: { 'X-Good': 'yes' } } });
  expect(diagnostics.map(formatDiagnostic)).toEqual([
    `${USER}:4:19: error: providers.mine.base_url must be an http or https URL, as in http://127.0.0.1:8080/v1`,
    `${USER}:5:7: warning: there is no setting providers.mine.api_key; did you mean providers.mine.api_key_env?`,
    `${USER}:6:29: error: providers.mine.headers.X-Org must be a line of text, or { "env": "NAME" } with the name of a variable`,
    `${USER}:6:62: error: providers.mine.headers.X-Line must be a line of text, or { "env": "NAME" } with the name of a variable`,
    `${USER}:7:18: error: providers.mine.retries must be a whole number from 0 to 20`,
    `${USER}:8:35: error: providers.mine.quirks.stream_usage must be true or false`,
    `${USER}:8:53: error: providers.mine.quirks.call_ids must be one of any, word, nine`,
    `${USER}:8:75: error: providers.mine.quirks.drop_fields must be a list of names of fields`,
    `${USER}:8:84: warning: there is no setting providers.mine.quirks.strem_usage; did you mean providers.mine.quirks.stream_usage?`,
    `${USER}:9:40: error: providers.mine.models.m.modalities must be a list of text, image`,
    `${USER}:9:72: error: providers.mine.models.m.reasoning must be one of effort, toggle, budget, none`,
    `${USER}:9:99: error: providers.mine.models.m.context_window must be a whole number from 1 to 1000000000`,
  ]);
});
