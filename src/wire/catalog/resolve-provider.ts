import { nearest, UsageError } from '../../base/index.ts';
import type { ModelInfo, Wire } from '../../model/index.ts';
import { parseBaseUrl } from '../endpoint.ts';
import { CUSTOM, PROVIDERS, type Provider } from './providers.ts';

export type ProviderQuery = {
  /** `provider/model`, split at the first `/`; with `baseUrl` the whole is the model's id. */
  model: string;
  /** Default: the provider's own; `chat` for an ad hoc one. */
  wire?: Wire;
  /** An ad hoc provider, `custom`: no other provider's key ever goes to it. */
  baseUrl?: string;
  /** Looks a variable of the environment up. */
  env(name: string): string | undefined;
};

export type ResolvedProvider = {
  info: ModelInfo;
  baseUrl: string;
  apiKey: string | null;
  /** The variable that the key comes from, or would come from; null: the provider has none. */
  keyName: string | null;
};

/**
 * Which server a model's name means, from the catalogue and the environment. Throws UsageError: `wire/no-model`,
 * `wire/unknown-provider`, `wire/not-built`, `wire/unsupported`, `wire/no-key`, `wire/bad-key`, `wire/base-url`.
 */
export function resolveProvider(query: ProviderQuery): ResolvedProvider {
  const name = query.model.trim();
  if (query.baseUrl !== undefined) return resolve('custom', { ...CUSTOM, baseUrl: query.baseUrl }, name, query);
  const slash = name.indexOf('/');
  const id = slash === -1 ? '' : name.slice(0, slash);
  const provider = slash === -1 || !Object.hasOwn(PROVIDERS, id) ? undefined : PROVIDERS[id];
  if (provider === undefined) throw unknownProvider(name, slash === -1 ? name : id, slash !== -1);
  return resolve(id, provider, name.slice(slash + 1), query);
}

function resolve(id: string, provider: Provider, model: string, query: ProviderQuery): ResolvedProvider {
  if (model === '') {
    throw new UsageError('wire/no-model', `no model is named: use --model ${id === 'custom' ? 'ID' : `${id}/ID`}`);
  }
  const wire = chooseWire(id, provider, query.wire, id === 'custom' ? 'chat' : (provider.wires[0] ?? 'chat'));
  const baseUrl = baseUrlOf(id, provider, query);
  const keyName = provider.keys.find((name) => (query.env(name) ?? '').trim() !== '') ?? provider.keys[0] ?? null;
  const apiKey = (keyName === null ? '' : (query.env(keyName) ?? '')).trim();
  if (apiKey === '' && !provider.keyOptional) {
    throw new UsageError('wire/no-key', `provider "${id}" needs a key: set ${provider.keys.join(' or ')}`, {
      data: { provider: id, variables: provider.keys },
    });
  }
  if (/[^\x21-\x7e]/.test(apiKey)) {
    const text = `${keyName} holds a blank or a character that no key has: set it again`;
    throw new UsageError('wire/bad-key', text, { data: { provider: id, variable: keyName } });
  }
  const info: ModelInfo = { provider: id, id: model, wire, contextWindow: null, outputLimit: null };
  return { info, baseUrl, apiKey: apiKey === '' ? null : apiKey, keyName };
}

function chooseWire(id: string, provider: Provider, asked: Wire | undefined, own: Wire): Wire {
  const wire = asked ?? own;
  if (!provider.wires.includes(wire)) {
    const text = `provider "${id}" does not speak the ${wire} wire, only ${provider.wires.join(', ')}`;
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

function baseUrlOf(id: string, provider: Provider, query: ProviderQuery): string {
  const variable = provider.baseUrlVariable;
  const set = variable === undefined ? '' : (query.env(variable) ?? '').trim();
  const baseUrl = set === '' ? provider.baseUrl : id === 'ollama' ? ollamaUrl(set) : set;
  parseBaseUrl(baseUrl);
  return baseUrl;
}

/** OLLAMA_HOST as its own client takes it: `host`, `:port`, `host:port` or a URL; a listen-everywhere address is here. */
function ollamaUrl(host: string): string {
  const text = /^https?:\/\//.test(host) ? host : `http://${host.startsWith(':') ? `127.0.0.1${host}` : host}`;
  const url = parseBaseUrl(text);
  if (url.hostname === '0.0.0.0' || url.hostname === '[::]') url.hostname = '127.0.0.1';
  const portGiven = url.port !== '' || /^https?:\/\//.test(host) || /:\d+$/.test(host);
  if (!portGiven) url.port = '11434';
  return url.pathname === '/' ? `${url.origin}/v1` : url.href;
}

function unknownProvider(name: string, id: string, split: boolean): UsageError {
  const known = [...Object.keys(PROVIDERS), 'rehearsal'];
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
