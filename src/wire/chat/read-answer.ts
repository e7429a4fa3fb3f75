import { isRecord, parseJson, screenLine } from '../../base/index.ts';
import type { ClockPort, HttpResponse } from '../../host/index.ts';
import { ModelError, type ModelEvent } from '../../model/index.ts';
import { pathHint } from '../provider-failure.ts';
import { readBounded } from '../read-bounded.ts';
import { type SseEvent, SseParser } from '../sse-parser.ts';
import type { ChatDecoder } from './chat-decoder.ts';

/** Lines of data that are no JSON object (`ping`, `[PING]`): so many are taken for signs of life. */
const MOST_NOISE = 1000;
const LARGEST_WHOLE_ANSWER = 32 * 1024 * 1024;

export type Answer = {
  response: HttpResponse;
  decoder: ChatDecoder;
  /** Without credentials: for messages. */
  url: string;
  /** Ends the connection. */
  cut(): void;
  clock: ClockPort;
};

/** The events of a 200 answer. Ends at the end mark, without waiting for the connection's end. Throws ModelError. */
export async function* readAnswer(answer: Answer): AsyncGenerator<ModelEvent> {
  const { response, decoder, url } = answer;
  const type = (response.headers['content-type'] ?? '').toLowerCase();
  refuseCompressed(response, url);
  if (type.includes('application/json')) {
    const { chunks, complete } = await wholeAnswer(response, url);
    for (const chunk of chunks) yield* decoder.push(chunk);
    if (complete) decoder.mark();
    yield* decoder.end();
    return;
  }
  if (type.includes('text/html')) {
    const { host } = new URL(url);
    const text = `${host} answered with a web page, not a stream of events: check the base URL${pathHint(url)}`;
    throw new ModelError('malformed', text, { url, body: await readBounded(response.body, 65_536) });
  }
  const bytes = response.body[Symbol.asyncIterator]();
  const reader = new ChunkReader(url);
  try {
    while (!reader.ended) {
      const next = await bytes.next();
      for (const chunk of reader.read(next.done === true ? null : next.value)) yield* decoder.push(chunk);
    }
    if (reader.marked) decoder.mark();
    yield* decoder.end();
  } finally {
    if (reader.marked) void letEnd(bytes, answer);
    else await bytes.return?.();
  }
}

/** How long a server may take to end an answer after its end mark, before its connection is given up. */
const LAST_BYTES_MS = 250;

/** Reads the end of the body, so that the connection can serve the next request; nobody waits for it. */
async function letEnd(bytes: AsyncIterator<Uint8Array>, { clock, cut }: Answer): Promise<void> {
  const stop = new AbortController();
  const ended = readOn(bytes).finally(() => stop.abort());
  // Most bodies end with their mark: those need no timer.
  for (let turn = 0; turn < 16 && !stop.signal.aborted; turn += 1) await Promise.resolve();
  if (!stop.signal.aborted) await Promise.race([ended, clock.sleep(LAST_BYTES_MS, stop.signal)]);
  if (!stop.signal.aborted) cut();
}

async function readOn(bytes: AsyncIterator<Uint8Array>): Promise<void> {
  try {
    while ((await bytes.next()).done !== true);
  } catch {
    // The answer is complete: how its connection ends no longer matters.
  }
}

/** From bytes to the chunks' values, up to the end mark. */
class ChunkReader {
  readonly #url: string;
  readonly #parser = new SseParser();
  #noise = 0;
  /** The end mark came. */
  marked = false;
  /** Nothing more is to be read. */
  ended = false;

  constructor(url: string) {
    this.#url = url;
  }

  /** Null: the body's end. One by one, so that what came before a broken chunk is delivered. */
  *read(bytes: Uint8Array | null): Generator<unknown> {
    const events = bytes === null ? this.#parser.end() : this.#parser.push(bytes);
    this.ended = bytes === null;
    for (const event of events) {
      if (isEndMark(event)) {
        this.marked = true;
        this.ended = true;
        return;
      }
      const chunk = readChunk(event, this.#url);
      if (chunk !== undefined) yield chunk;
      else this.#countNoise();
    }
  }

  #countNoise(): void {
    this.#noise += 1;
    if (this.#noise <= MOST_NOISE) return;
    throw new ModelError('malformed', `${new URL(this.#url).host} sends no JSON`, { url: this.#url });
  }
}

function isEndMark(event: SseEvent): boolean {
  return event.data.trim() === '[DONE]';
}

/** Undefined for what does not even look like a JSON object. What does, and is none, was damaged on its way. */
function readChunk(event: SseEvent, url: string): unknown {
  const value = parseJson(event.data);
  if (event.event === 'error') return isRecord(value) && 'error' in value ? value : { error: value ?? event.data };
  if (value === undefined && /^\s*\{/.test(event.data)) {
    const text = `${new URL(url).host} sent a chunk that is not JSON: ${screenLine(event.data, 120)}`;
    throw new ModelError('malformed', text, { url, chunk: event.data.slice(0, 2000) });
  }
  return typeof value === 'object' && value !== null ? value : undefined;
}

type WholeAnswer = { chunks: readonly unknown[]; complete: boolean };

/** One value, which is complete since it is well-formed, or those of a stream of events that is labelled wrongly. */
async function wholeAnswer(response: HttpResponse, url: string): Promise<WholeAnswer> {
  const text = await readBounded(response.body, LARGEST_WHOLE_ANSWER);
  const value = parseJson(text);
  if (value !== undefined) return { chunks: [value], complete: true };
  if (/^\s*(?:data|event|error|id|retry)?:/.test(text)) {
    const reader = new ChunkReader(url);
    const chunks = [...reader.read(Buffer.from(text))];
    if (!reader.ended) chunks.push(...reader.read(null));
    return { chunks, complete: reader.marked };
  }
  const said = `${new URL(url).host} sent an answer that is not JSON: ${screenLine(text, 120)}`;
  throw new ModelError('malformed', said, { url, body: text.slice(0, 65_536) });
}

/** None was asked for, so a proxy or a misconfigured server did it; asking again would bring the same. */
function refuseCompressed({ headers }: HttpResponse, url: string): void {
  const coding = (headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (coding === '' || coding === 'identity') return;
  const text = `${new URL(url).host} sent a compressed answer (${screenLine(coding, 40)}) that was not asked for: switch compression off there`;
  throw new ModelError('bad-request', text, { url, coding });
}
