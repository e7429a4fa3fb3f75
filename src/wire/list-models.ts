import { isRecord, parseJson } from '../base/index.ts';
import { type HostPorts, HttpError } from '../host/index.ts';
import type { Wire } from '../model/index.ts';
import { endpointUrl, parseBaseUrl } from './endpoint.ts';
import { readBounded } from './read-bounded.ts';

export type ListedModels = {
  status: number;
  /** Ids, sorted; null where the answer holds no list. */
  models: readonly string[] | null;
};

export type ModelServer = {
  baseUrl: string;
  apiKey: string | null;
  wire: Wire;
  /** The user's own, names in lower case. */
  headers?: Readonly<Record<string, string>>;
};

const LIST_BYTES = 8 * 1024 * 1024;
const MAX_MODELS = 10_000;
const MAX_ID = 200;

/**
 * Asks a server which models it has, once, within `limitMs` from start to end. Throws UsageError for a base URL that
 * is none, HttpError where no answer came: `http/aborted` when the time was over.
 */
export async function listModels(
  server: ModelServer,
  { http, clock }: Pick<HostPorts, 'http' | 'clock'>,
  limitMs: number,
): Promise<ListedModels> {
  const url = listUrl(server);
  const over = new AbortController();
  const done = new AbortController();
  void clock.sleep(limitMs, done.signal).then(() => over.abort());
  try {
    const { status, body } = await http.request({
      url,
      method: 'GET',
      headers: headersOf(server),
      signal: over.signal,
      timeouts: { connectMs: limitMs, headersMs: limitMs, idleMs: limitMs },
    });
    const text = await readBounded(body, LIST_BYTES);
    if (over.signal.aborted) throw new HttpError('aborted', 'the time was over', { phase: 'body' });
    return { status, models: status === 200 ? idsIn(text) : null };
  } finally {
    done.abort();
  }
}

function listUrl({ wire, baseUrl }: ModelServer): string {
  if (wire !== 'messages') return endpointUrl(baseUrl, '/models');
  const versioned = /\/v1\/*$/.test(parseBaseUrl(baseUrl).pathname);
  const url = new URL(endpointUrl(baseUrl, versioned ? '/models' : '/v1/models'));
  // It tells twenty at a time otherwise.
  url.searchParams.set('limit', '1000');
  return url.href;
}

function headersOf({ wire, apiKey, headers }: ModelServer): Record<string, string> {
  const accept = { accept: 'application/json' };
  if (wire !== 'messages') {
    return { ...accept, ...(apiKey === null ? {} : { authorization: `Bearer ${apiKey}` }), ...headers };
  }
  const key = apiKey === null ? {} : { 'x-api-key': apiKey };
  return { ...accept, 'anthropic-version': '2023-06-01', ...key, ...headers };
}

/** `{ data: [{ id }] }`, as all three formats have it. */
function idsIn(text: string): readonly string[] | null {
  const list = parseJson(text);
  if (!isRecord(list) || !Array.isArray(list.data)) return null;
  const ids = list.data
    .slice(0, MAX_MODELS)
    .map((model: unknown) => (isRecord(model) ? model.id : undefined))
    .filter((id): id is string => typeof id === 'string' && id !== '' && id.length <= MAX_ID);
  return [...new Set(ids)].sort();
}
