import { byteLength, cutHead, isRecord, parseJson, printable } from '../../base/index.ts';
import { HttpError, type HttpResponse } from '../../host/index.ts';
import type { ToolFailure } from '../../model/index.ts';
import type { SearchWebArgs, SearchWebValue, ToolContext, ToolOutcome } from '../contract/index.ts';

/** A service that takes `{text_query, limit, enable_page_crawling, timeout_seconds}` and answers `{search_results}`. */
export type SearchBackend = { url: string; key: string | null };

const ASKED_SECONDS = 30;
const TIME_MS = 180_000;
const MAX_BYTES = 4 * 1024 * 1024;
const MAX_RESULTS = 20;
/** Bytes of one field of a result; its content may have as much as a result of a tool. */
const MAX_FIELD = 4096;
const MAX_QUERY = 4000;

/** Asks the service that the settings name. What it says goes out as text, bounded field by field. */
export async function searchWeb(
  { query, limit, content }: SearchWebArgs,
  context: ToolContext,
  backend: SearchBackend | null,
): Promise<ToolOutcome<SearchWebValue>> {
  if (backend === null) {
    return failed('search/not-configured', 'No search service is configured (setting web.search_url).');
  }
  if (query.trim() === '' || query.length > MAX_QUERY) {
    return failed('search/query', `The query must have 1 to ${MAX_QUERY} characters.`);
  }
  const over = new AbortController();
  const signal = AbortSignal.any([context.signal, over.signal]);
  void context.host.clock.sleep(TIME_MS, signal).then(() => over.abort());
  try {
    const response = await context.host.http.request({
      url: backend.url,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'rein',
        ...(backend.key === null ? {} : { authorization: `Bearer ${backend.key}` }),
      },
      body: JSON.stringify({
        text_query: query,
        limit: Math.min(limit, MAX_RESULTS),
        enable_page_crawling: content,
        timeout_seconds: ASKED_SECONDS,
      }),
      signal,
      timeouts: { connectMs: TIME_MS, headersMs: TIME_MS, idleMs: TIME_MS },
    });
    return await readResults(response, limit, context);
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    return unreached(error, context);
  } finally {
    over.abort();
  }
}

async function readResults(
  response: HttpResponse,
  limit: number,
  { limits }: ToolContext,
): Promise<ToolOutcome<SearchWebValue>> {
  const { status } = response;
  if (status !== 200) {
    return failed(
      'search/status',
      `The search service answered with status ${status}. It may be down, or refuse the key.`,
    );
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MAX_BYTES)
      return failed('search/too-large', `The search service answered with more than ${MAX_BYTES} bytes.`);
  }
  const answer = parseJson(Buffer.concat(chunks).toString('utf8'));
  if (!isRecord(answer) || !Array.isArray(answer.search_results)) {
    return failed('search/unreadable', 'The answer of the search service could not be read.');
  }
  const results = answer.search_results
    .filter(isRecord)
    .slice(0, Math.min(limit, MAX_RESULTS))
    .map((result) => resultOf(result, limits.resultBytes));
  return { value: { results }, observed: [] };
}

function resultOf(result: Record<string, unknown>, most: number): SearchWebValue['results'][number] {
  const line = (name: string): string => printable(cutHead(textOf(result[name]), MAX_FIELD), MAX_FIELD);
  return {
    title: line('title'),
    date: line('date'),
    url: line('url'),
    summary: cutHead(textOf(result.snippet), MAX_FIELD),
    content: cutHead(textOf(result.content), most),
  };
}

function textOf(value: unknown): string {
  return typeof value === 'string' && byteLength(value) <= MAX_BYTES ? value : '';
}

function unreached(error: HttpError, { signal }: ToolContext): ToolOutcome<SearchWebValue> {
  if (signal.aborted) return failed('search/aborted', 'The search was stopped.');
  if (error.fault === 'aborted' || error.fault === 'timeout') {
    return failed('search/timeout', `The search service did not answer within ${TIME_MS / 1000} s.`);
  }
  return failed('search/failed', `The search service could not be reached: ${error.message}.`);
}

function failed(code: string, message: string): { error: ToolFailure; observed: [] } {
  return { error: { code, message }, observed: [] };
}
