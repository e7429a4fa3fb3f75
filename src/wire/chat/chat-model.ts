import { type HostPorts, type HttpTimeouts, isLoopback } from '../../host/index.ts';
import {
  isCall,
  type Message,
  type ModelEvent,
  type ModelInfo,
  type ModelPort,
  type ModelRequest,
  type Quirks,
} from '../../model/index.ts';
import { DEFAULT_QUIRKS } from '../catalog/quirks.ts';
import { defaultTimeouts, endpointUrl } from '../endpoint.ts';
import { failureOfAnswer, withoutCredentials } from '../provider-failure.ts';
import { readBounded } from '../read-bounded.ts';
import { retryAfterMs } from '../retry-after.ts';
import { DEFAULT_RETRY, type RetryPolicy } from '../retry-policy.ts';
import { sendWithRetry } from '../send-with-retry.ts';
import { ChatDecoder } from './chat-decoder.ts';
import { ChatEncoder } from './chat-encoder.ts';
import { readAnswer } from './read-answer.ts';

export type ChatModelOptions = {
  host: Pick<HostPorts, 'http' | 'clock' | 'random'>;
  info: ModelInfo;
  baseUrl: string;
  /** Null: no Authorization header. */
  apiKey: string | null;
  /** The variable that the key comes from, or would come from: for messages. */
  keyName?: string | null;
  /** Default: the plain format. */
  quirks?: Quirks;
  /** The user's own, names in lower case; they replace this wire's. */
  headers?: Readonly<Record<string, string>>;
  /** Values among the headers that nothing may quote. */
  secrets?: readonly string[];
  retry?: RetryPolicy;
  /** The server makes conversations shorter itself; only the rehearsal does, in this wire. */
  compacts?: boolean;
  /** What is left out is by the host: no limit on headers and pauses for a local one. */
  timeouts?: Partial<HttpTimeouts>;
};

/** Most of a failed answer's body that is read, bytes. */
const ERROR_BODY = 65_536;

/**
 * A model behind a Chat Completions server. Throws UsageError for a base URL that is none; what `prepare` and `send`
 * throw is ModelPort's to say.
 */
export function createChatModel(options: ChatModelOptions): ModelPort {
  const url = endpointUrl(options.baseUrl, '/chat/completions');
  const encoder = new ChatEncoder(options.info, options.quirks ?? DEFAULT_QUIRKS);
  const secrets = [...(options.apiKey === null ? [] : [options.apiKey]), ...(options.secrets ?? [])];
  const context = { host: options.host, policy: options.retry ?? DEFAULT_RETRY, secrets };
  return {
    info: options.info,
    retries: context.policy.max,
    ...(options.compacts === true ? { compacts: true as const } : {}),
    prepare(request) {
      const body = encoder.encode(request);
      const sent = { headers: headersOf(request, options, isLoopback(new URL(url).hostname)), body: body.join('') };
      return {
        body,
        send: (signal) =>
          sendWithRetry({ ...context, signal }, () =>
            post(options, url, { ...sent, signal, history: request.messages }),
          ),
      };
    },
  };
}

type Post = {
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
  history: readonly Message[];
};

async function* post(options: ChatModelOptions, url: string, sent: Post): AsyncGenerator<ModelEvent> {
  const { headers, body, signal } = sent;
  const connection = new AbortController();
  const response = await options.host.http.request({
    url,
    method: 'POST',
    headers,
    body,
    signal: AbortSignal.any([signal, connection.signal]),
    timeouts: { ...defaultTimeouts(url), ...options.timeouts },
  });
  if (response.status === 200) {
    const named = withoutCredentials(url);
    yield* readAnswer({
      response,
      decoder: new ChatDecoder(named, options.info.provider, idMaker(sent.history)),
      url: named,
      cut: () => connection.abort(),
      clock: options.host.clock,
    });
    return;
  }
  throw failureOfAnswer({
    url,
    status: response.status,
    headers: response.headers,
    body: await readBounded(response.body, ERROR_BODY),
    retryAfter: retryAfterMs(response.headers, options.host.clock.now().epochMs),
    model: options.info.id,
    provider: options.info.provider,
    longestWaitMs: (options.retry ?? DEFAULT_RETRY).longestMs,
    key: { name: options.keyName ?? null, sent: options.apiKey !== null },
  });
}

/**
 * A server on this machine may be a rehearsal, which chooses replies by purpose and agent; no other server is told.
 */
function headersOf(request: ModelRequest, options: ChatModelOptions, loopback: boolean): Record<string, string> {
  const told = loopback && request.purpose !== 'turn' ? { 'x-rein-purpose': request.purpose } : {};
  const agent = loopback && request.agent !== undefined ? { 'x-rein-agent': encodeURIComponent(request.agent) } : {};
  return {
    'content-type': 'application/json',
    accept: 'text/event-stream',
    'user-agent': 'rein',
    ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` }),
    ...options.headers,
    ...told,
    ...agent,
  };
}

/** Ids for calls that come without one: `call_N`, N counted over the conversation and never one that it holds. */
function idMaker(history: readonly Message[]): () => string {
  let taken: Set<string> | undefined;
  return () => {
    taken ??= idsOf(history);
    let number = taken.size;
    while (taken.has(`call_${number}`)) number += 1;
    taken.add(`call_${number}`);
    return `call_${number}`;
  };
}

function idsOf(history: readonly Message[]): Set<string> {
  const parts = history.flatMap((message) => (message.role === 'assistant' ? message.parts : []));
  return new Set(parts.filter(isCall).map((call) => call.id));
}
