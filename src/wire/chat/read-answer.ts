import { parseJson } from '../../base/index.ts';
import type { HttpResponse } from '../../host/index.ts';
import { ModelError, type ModelEvent } from '../../model/index.ts';
import { oneLine } from '../one-line.ts';
import { readBounded } from '../read-bounded.ts';
import { type SseEvent, SseParser } from '../sse-parser.ts';
import type { ChatDecoder } from './chat-decoder.ts';

/** Lines of data that are no JSON object (`ping`, `[PING]`): so many are taken for signs of life. */
const MOST_NOISE = 1000;
const LARGEST_WHOLE_ANSWER = 32 * 1024 * 1024;

/** The events of a 200 answer. Ends at the end mark, without waiting for the connection's end. Throws ModelError. */
export async function* readAnswer(
  response: HttpResponse,
  decoder: ChatDecoder,
  url: string,
): AsyncGenerator<ModelEvent> {
  const type = (response.headers['content-type'] ?? '').toLowerCase();
  if (type.includes('application/json')) {
    yield* decoder.push(await wholeAnswer(response, url));
    yield* decoder.end();
    return;
  }
  if (type.includes('text/html')) {
    const text = `${new URL(url).host} answered with a web page, not a stream of events: check the base URL`;
    throw new ModelError('malformed', text, { url, body: await readBounded(response.body, 65_536) });
  }
  const parser = new SseParser();
  let noise = 0;
  for await (const bytes of response.body) {
    for (const event of parser.push(bytes)) {
      if (isEndMark(event)) {
        decoder.mark();
        yield* decoder.end();
        return;
      }
      const chunk = readChunk(event, url);
      if (chunk === undefined) noise += 1;
      else yield* decoder.push(chunk);
      if (noise > MOST_NOISE) throw new ModelError('malformed', `${new URL(url).host} sends no JSON`, { url });
    }
  }
  for (const event of parser.end()) {
    if (isEndMark(event)) decoder.mark();
    else yield* decoder.push(readChunk(event, url));
  }
  yield* decoder.end();
}

function isEndMark(event: SseEvent): boolean {
  return event.data.trim() === '[DONE]';
}

/** Undefined for what does not even look like a JSON object. What does, and is none, was damaged on its way. */
function readChunk(event: SseEvent, url: string): unknown {
  const value = parseJson(event.data);
  if (value === undefined && /^\s*\{/.test(event.data)) {
    const text = `${new URL(url).host} sent a chunk that is not JSON: ${oneLine(event.data, 120)}`;
    throw new ModelError('malformed', text, { url, chunk: event.data.slice(0, 2000) });
  }
  return typeof value === 'object' && value !== null ? value : undefined;
}

async function wholeAnswer(response: HttpResponse, url: string): Promise<unknown> {
  const text = await readBounded(response.body, LARGEST_WHOLE_ANSWER);
  const value = parseJson(text);
  if (value !== undefined) return value;
  const said = `${new URL(url).host} sent an answer that is not JSON: ${oneLine(text, 120)}`;
  throw new ModelError('malformed', said, { url, body: text.slice(0, 65_536) });
}
