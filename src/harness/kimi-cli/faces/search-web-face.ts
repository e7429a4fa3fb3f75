import type { SearchWebArgs, SearchWebValue, ToolFace } from '../../../tools/contract/index.ts';
import description from '../descriptions/search-web.md';
import type { KimiResult } from '../tool-result.ts';
import { kimiFace } from './kimi-face.ts';
import { limitOutput, TRUNCATED } from './limit-output.ts';

type Given = { query: string; limit: number; include_content: boolean };

function found({ results }: SearchWebValue): KimiResult {
  if (results.length === 0) return { message: 'No results found.' };
  const blocks = results.map(({ title, date, url, summary, content }) => {
    const head = `Title: ${title}\nDate: ${date}\nURL: ${url}\nSummary: ${summary}\n\n`;
    return content === '' ? head : `${head}${content}\n\n`;
  });
  const shown = limitOutput(blocks.join('---\n\n'), { total: 50_000, line: null });
  const note = shown.cut ? { message: TRUNCATED.trim() } : {};
  return { ...note, output: shown.text };
}

/** Executor `search_web` (spec/kimi-cli.md 13.8). */
export const SEARCH_WEB: ToolFace = kimiFace<SearchWebArgs, SearchWebValue>({
  name: 'SearchWeb',
  description,
  executor: 'search_web',
  parameters: [
    { name: 'query', required: true, schema: { type: 'string', description: 'What to search for.' } },
    {
      name: 'limit',
      schema: { type: 'integer', default: 5, minimum: 1, maximum: 20, description: 'Most results.' },
    },
    {
      name: 'include_content',
      schema: { type: 'boolean', default: false, description: 'With the text of the pages.' },
    },
  ],
  toArgs(given) {
    const { query, limit, include_content: content } = given as Given;
    return { args: { query, limit, content } };
  },
  toResult: found,
});
