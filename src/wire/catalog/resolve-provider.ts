import { nearest, UsageError } from '../../base/index.ts';
import type { HttpTimeouts } from '../../host/index.ts';
import type { ModelInfo, ModelSettings, ProviderSettings, Quirks, Wire } from '../../model/index.ts';
import { parseBaseUrl } from '../endpoint.ts';
import { DEFAULT_RETRY, type RetryPolicy } from '../retry-policy.ts';
import { findKey, type Lookup, readHeaders } from './credentials.ts';
import { knownModel } from './known-models.ts';
import { ollamaUrl } from './ollama-url.ts';
import { CUSTOM, PROVIDERS, type Provider, UNKNOWN } from './providers.ts';
import { mergeQuirks } from './quirks.ts';

export type ProviderQuery = {
  /** `provider/model`, split at the first `/`; with `baseUrl` the whole is the model's id. */
  model: string;
  /** Default: the provider's own; `chat` for an ad hoc one. */
  wire?: Wire;
  /** An ad hoc provider, `custom`: no other provider's key ever goes to it. */
  baseUrl?: string;
  /** The user's own providers, and what is different with known ones, by id. */
  providers?: Readonly<Record<string, ProviderSettings>>;
  /** Looks a variable of the environment up. */
  env: Lookup;
  /** Nothing will be sent: missing keys are no mistake. */
  preview?: boolean;
};

export type ResolvedProvider = {
  info: ModelInfo;
  baseUrl: string;
  apiKey: string | null;
  /** The variable that the key comes from, or would come from; null: the provider has none. */
  keyName: string | null;
  quirks: Quirks;
  /** Beside the wire's own, names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Values of headers that nothing may show. */
  secrets: readonly string[];
  /** What the user set; the rest goes by the host. */
  timeouts: Partial<HttpTimeouts>;
  retry: RetryPolicy;
};

/**
 * Which server a model's name means and how it is spoken to, from the catalogue, the settings and the environment.
 * Throws UsageError: `wire/no-model`, `wire/unknown-provider`, `wire/not-built`, `wire/unsupported`, `wire/no-key`,
 * `wire/bad-key`, `wire/bad-header`, `wire/no-header-value`, `wire/base-url`.
 */
export function resolveProvider(query: ProviderQuery): ResolvedProvider {
  const name = query.model.trim();
  const { baseUrl, providers = {} } = query;
  if (baseUrl !== undefined) {
    // What is said of `custom` describes servers; address and credentials of an ad hoc one are never stored.
    const { base_url: _url, api_key_env: _key, headers: _headers, ...described } = ownValue(providers, 'custom') ?? {};
    return resolve(
      { id: 'custom', provider: CUSTOM, settings: { ...described, base_url: baseUrl }, model: name },
      query,
    );
  }
  const slash = name.indexOf('/');
  const id = slash === -1 ? '' : name.slice(0, slash);
  const builtIn = ownValue(PROVIDERS, id);
  const settings = ownValue(providers, id);
  if (slash === -1 || (builtIn === undefined && settings === undefined)) {
    throw unknownProvider(name, slash === -1 ? name : id, slash !== -1, Object.keys(providers));
  }
  return resolve({ id, provider: builtIn ?? UNKNOWN, settings: settings ?? {}, model: name.slice(slash + 1) }, query);
}

function ownValue<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

type Chosen = { id: string; provider: Provider; settings: ProviderSettings; model: string };

function resolve(chosen: Chosen, query: ProviderQuery): ResolvedProvider {
  const { id, provider, settings, model } = chosen;
  if (model === '') {
    throw new UsageError('wire/no-model', `no model is named: use --model ${id === 'custom' ? 'ID' : `${id}/ID`}`);
  }
  const own = ownValue(settings.models ?? {}, model) ?? {};
  const { api_key_env: variable } = settings;
  const needed = query.preview !== true;
  const holder = { provider: id, env: query.env, needed: needed && (variable !== undefined || !provider.keyOptional) };
  const wire = chooseWire(chosen, query.wire);
  const baseUrl = baseUrlOf(chosen, query);
  return {
    info: modelInfo(chosen, wire, { ...described(settings), ...own }),
    baseUrl,
    ...findKey(variable === undefined ? provider.keys : [variable], holder),
    quirks: mergeQuirks(provider.quirks, settings.quirks, own.quirks),
    ...readHeaders(settings.headers, { ...holder, needed }),
    timeouts: timeoutsOf(settings),
    retry: settings.retries === undefined ? DEFAULT_RETRY : { ...DEFAULT_RETRY, max: settings.retries },
  };
}

/** What is said of all models of a provider. */
function described({ context_window, max_output_tokens, reasoning, modalities }: ProviderSettings): ModelSettings {
  return Object.fromEntries(
    Object.entries({ context_window, max_output_tokens, reasoning, modalities }).filter(
      ([, value]) => value !== undefined,
    ),
  );
}

function modelInfo({ id, provider, model }: Chosen, wire: Wire, said: ModelSettings): ModelInfo {
  const facts: ModelSettings = { ...provider.models, ...(provider.hosted ? knownModel(model) : {}), ...said };
  return {
    provider: id,
    id: model,
    wire,
    contextWindow: facts.context_window ?? null,
    outputLimit: facts.max_output_tokens ?? null,
    ...(facts.reasoning === undefined ? {} : { reasoning: facts.reasoning }),
    ...(facts.modalities === undefined ? {} : { modalities: facts.modalities }),
  };
}

function chooseWire({ id, provider, settings }: Chosen, asked: Wire | undefined): Wire {
  const spoken = settings.wire === undefined ? provider.wires : [settings.wire];
  const wire = asked ?? spoken[0] ?? 'chat';
  if (!spoken.includes(wire)) {
    const text = `provider "${id}" does not speak the ${wire} wire, only ${spoken.join(', ')}`;
    throw new UsageError('wire/unsupported', text, { data: { provider: id, wire } });
  }
  if (wire === 'chat') return wire;
  const instead =
    id === 'anthropic'
      ? 'its models can be reached as openrouter/anthropic/MODEL'
      : 'use --wire chat where it is spoken';
  const text = `the ${wire} wire${id === 'custom' ? '' : ` of provider "${id}"`} is not built in this version: ${instead}`;
  throw new UsageError('wire/not-built', text, { data: { provider: id, wire } });
}

/** The provider's variable, else the settings, else the catalogue. */
function baseUrlOf({ id, provider, settings }: Chosen, query: ProviderQuery): string {
  const variable = provider.baseUrlVariable;
  const set = variable === undefined ? '' : (query.env(variable) ?? '').trim();
  const baseUrl = set === '' ? (settings.base_url ?? provider.baseUrl) : id === 'ollama' ? ollamaUrl(set) : set;
  if (baseUrl === '') {
    throw new UsageError('wire/base-url', `provider "${id}" has no base URL: set providers.${id}.base_url`, {
      data: { provider: id },
    });
  }
  parseBaseUrl(baseUrl);
  return baseUrl;
}

function timeoutsOf(settings: ProviderSettings): Partial<HttpTimeouts> {
  const given: [keyof HttpTimeouts, number | undefined][] = [
    ['connectMs', settings.connect_timeout_ms],
    ['headersMs', settings.headers_timeout_ms],
    ['idleMs', settings.idle_timeout_ms],
  ];
  return Object.fromEntries(given.flatMap(([name, ms]) => (ms === undefined ? [] : [[name, ms === 0 ? null : ms]])));
}

function unknownProvider(name: string, id: string, split: boolean, own: readonly string[]): UsageError {
  const known = [...new Set([...own, ...Object.keys(PROVIDERS), 'rehearsal'])];
  const meant = nearest(id, known);
  if (!split && meant !== name) {
    return new UsageError(
      'wire/unknown-provider',
      `"${name}" names no provider: write PROVIDER/MODEL, as in openai/${name}`,
      {
        data: { name },
      },
    );
  }
  const near = meant === undefined ? `known are ${known.join(', ')}` : `did you mean "${meant}"?`;
  const text = split
    ? `unknown provider "${id}" in "${name}": ${near}`
    : `no model is named: use --model ${name}/MODEL`;
  return new UsageError('wire/unknown-provider', text, {
    data: { provider: id, ...(meant === undefined ? {} : { meant }) },
  });
}
