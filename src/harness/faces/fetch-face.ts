import type { FetchArgs, FetchValue, ToolFace } from '../../tools/contract/index.ts';
import { closeLine, grouped, makeFace } from './face.ts';

/** Executor `fetch`. */
export function fetchFace(words: { name: string; description: string }): ToolFace {
  return makeFace<FetchArgs, FetchValue>({
    ...words,
    executor: 'fetch',
    parameters: [
      { name: 'url', type: 'string', required: true, description: 'The whole address, with https:// or http://.' },
    ],
    toArgs(given) {
      const { url } = given as FetchArgs;
      return { args: { url } };
    },
    toText(value, { spill }) {
      if (value.kind === 'elsewhere') {
        return `[${value.url} answered ${value.status} and leads to ${value.location}. That was not fetched; fetch it if you need it.]`;
      }
      const { url, mime, text, converted, droppedBytes, cutShort } = value;
      const form = converted ? `${mime} as Markdown` : mime;
      const head = `[${url}${form === '' ? '' : `: ${form}`}]`;
      const notices: string[] = [];
      if (droppedBytes > 0) {
        const whole = spill === undefined ? '' : `; the whole text is in ${spill}`;
        notices.push(`[${grouped(droppedBytes)} bytes left out${whole}]`);
      }
      if (cutShort) notices.push('[the answer goes on; no more of it was read]');
      if (text.trim() === '') notices.unshift('[it holds no text]');
      return [head, ...(text === '' ? [] : [closeLine(text).slice(0, -1)]), ...notices].join('\n');
    },
  });
}
