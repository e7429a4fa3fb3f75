import { type ClockPort, HttpError, type HttpPort, type HttpRequest, type HttpResponse } from '../../host/index.ts';
import { ModelError, type ModelPort, type ProviderSettings } from '../../model/index.ts';
import { resolveProvider } from '../catalog/resolve-provider.ts';
import { createChatModel } from '../chat/chat-model.ts';
import { Rehearsal, type StagedAnswer } from './rehearsal.ts';
import type { CapturedRequest, RehearsalScript } from './script.ts';

export type RehearsalModel = ModelPort & {
  requests(): readonly CapturedRequest[];
  /** Every broken rule and unmet expectation so far. */
  failures(): readonly string[];
};

const REHEARSAL = 'rehearsal';

// Never connected to: the port below answers. Its address makes the client tell purpose and agent, as to a server of
// this machine.
const NOWHERE = 'http://127.0.0.1/v1';

/**
 * A model that plays a script in this process: the real chat client, encoder, retries and decoder over a connection
 * that is none. A request that breaks the wire's rules or the script's expectation ends with ModelError `rehearsal`.
 * Backoff waits the middle of its range. `described`: what the user says of such a server.
 */
export function createRehearsalModel(
  script: RehearsalScript,
  host: { clock: ClockPort },
  described: ProviderSettings = {},
): RehearsalModel {
  const rehearsal = new Rehearsal(script);
  const { base_url: _url, api_key_env: _key, headers: _headers, wire: _wire, ...settings } = described;
  const { info, quirks, timeouts, retry } = resolveProvider({
    model: `${REHEARSAL}/${script.path}`,
    providers: { [REHEARSAL]: { ...settings, base_url: NOWHERE } },
    env: () => undefined,
  });
  const model = createChatModel({
    host: { http: playingHttp(rehearsal, host.clock), clock: host.clock, random: { bytes: middleBytes } },
    info,
    quirks,
    timeouts,
    retry,
    baseUrl: NOWHERE,
    apiKey: null,
    compacts: script.server?.nativeCompaction === true,
  });
  return { ...model, requests: () => rehearsal.requests, failures: () => rehearsal.failures };
}

function middleBytes(length: number): Uint8Array {
  return new Uint8Array(length).fill(128);
}

function playingHttp(rehearsal: Rehearsal, clock: ClockPort): HttpPort {
  return {
    async request(request) {
      const { body = '', headers } = request;
      const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
      const played = rehearsal.play({ body: text, headers });
      if ('failure' in played) throw new ModelError('rehearsal', played.failure);
      const { staged } = played;
      if (staged.stall?.before === 'headers') await stall(staged, request, clock);
      return { status: staged.status, headers: staged.headers, body: perform(staged, request, clock) };
    },
    async listen() {
      throw new HttpError('failed', 'a rehearsal does not listen', {});
    },
  };
}

async function* perform(
  staged: StagedAnswer,
  request: HttpRequest,
  clock: ClockPort,
): HttpResponse['body'] & AsyncGenerator<Uint8Array> {
  for (const [place, chunk] of staged.chunks.entries()) {
    if (staged.stall?.before === place) await stall(staged, request, clock);
    yield typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
  }
  if (staged.ending === 'reset') throw new HttpError('reset', 'the rehearsal cut the connection', { phase: 'body' });
}

/** Waits as the script says, or as long as the client would. */
async function stall({ stall: pause }: StagedAnswer, request: HttpRequest, clock: ClockPort): Promise<void> {
  if (pause === null) return;
  const limit = pause.before === 'headers' ? request.timeouts.headersMs : request.timeouts.idleMs;
  await clock.sleep(Math.min(pause.ms, limit ?? pause.ms), request.signal);
  const phase = pause.before === 'headers' ? 'headers' : 'body';
  if (request.signal.aborted) throw new HttpError('aborted', 'aborted', { phase });
  if (limit !== null && limit < pause.ms)
    throw new HttpError('timeout', `the rehearsal stalled for ${limit} ms`, { phase });
}
