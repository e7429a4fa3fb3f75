import type { ToolFailure } from '../../../model/index.ts';
import type { FetchArgs, FetchValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/fetch-url.md';
import type { KimiResult } from '../tool-result.ts';
import { kimiFace } from './kimi-face.ts';
import { limitOutput, TRUNCATED } from './limit-output.ts';

/** Characters; a line has no bound of its own. */
const LIMITS = { total: 50_000, line: null };

function fetched(value: FetchValue): KimiResult {
  if (value.kind === 'elsewhere') {
    return { message: `${value.url} redirects to ${value.location}, another host. Fetch that address if you need it.` };
  }
  const { text, converted, droppedBytes, cutShort } = value;
  if (text.trim() === '') {
    return converted
      ? {
          message: 'No meaningful content could be extracted from the page. It may need JavaScript to show any.',
          failed: true,
        }
      : { message: 'The response body is empty.' };
  }
  const shown = limitOutput(text, LIMITS);
  const isCut = shown.cut || droppedBytes > 0 || cutShort;
  const what = converted ? 'the main content extracted from the page' : 'the full content of the page';
  return { message: `The returned content is ${what}.${isCut ? TRUNCATED : ''}`, output: shown.text };
}

function notFetched({ code, message, data }: ToolFailure): KimiResult {
  const status = code === 'fetch/status' ? data?.status : undefined;
  if (typeof status !== 'number') return { message, failed: true };
  return {
    message: `Failed to fetch URL. Status: ${status}. The page may be gone, or may refuse to be read this way.`,
    failed: true,
  };
}

/** Executor `fetch` (spec/kimi-cli.md 13.9). */
export const FETCH_URL: ToolFace = kimiFace<FetchArgs, FetchValue>({
  name: 'FetchURL',
  description,
  executor: 'fetch',
  parameters: [{ name: 'url', required: true, schema: { type: 'string', description: 'The address of the page.' } }],
  toArgs: (given) => ({ args: { url: (given as FetchArgs).url } }),
  toResult: fetched,
  toFailure: notFetched,
});
