import { MODALITIES, type Quirks, REASONING_CONTROLS, WIRES } from '../model/index.ts';
import type { Rule, ValueType } from './schema.ts';

type Words = readonly [value: ValueType, about: string];

const TOKENS: ValueType = { type: 'integer', min: 1, max: 1_000_000_000 };
const TIME: ValueType = { type: 'integer', min: 0, max: 24 * 60 * 60 * 1000 };

function word(...words: string[]): ValueType {
  return { type: 'word', words };
}

/** One for each quirk, in its words (`Quirks`). */
const QUIRKS: Readonly<Record<keyof Quirks, Words>> = {
  null_content: [word('null', 'empty', 'omit'), '`content` of an answer that has calls and no text (`null`)'],
  reasoning_replay: [
    word('reasoning_content', 'reasoning', 'none'),
    'the field in which a model’s own reasoning goes back to it (`reasoning_content`)',
  ],
  empty_reasoning: [word('omit', 'placeholder'), 'what is sent with calls that came without reasoning (`omit`)'],
  reasoning_switch: [
    word('plain', 'reasoning', 'enable_thinking', 'chat_template_kwargs'),
    'the field in which thinking is switched (`plain`: `reasoning_effort`, `thinking`)',
  ],
  stream_usage: [{ type: 'flag' }, 'whether token counts are asked for with `stream_options` (true)'],
  max_tokens_field: [word('max_tokens', 'max_completion_tokens'), 'the field of the output limit (`max_tokens`)'],
  max_tokens_cap: [TOKENS, 'the most output tokens that are ever asked for'],
  call_ids: [
    word('any', 'word', 'nine'),
    'ids of calls: `any`; `word`: at most 40 of letters, digits, `_`, `-`; `nine`: nine letters or digits',
  ],
  tool_images: [
    word('after-results', 'in-result'),
    'where a tool’s pictures go: into a message after the results, or into the result (`after-results`)',
  ],
  answer_after_results: [
    { type: 'flag' },
    'whether an answer must stand between a tool’s result and a user message (false)',
  ],
  merge_user_messages: [{ type: 'flag' }, 'whether user messages in a row are sent as one (false)'],
  drop_fields: [{ type: 'names', of: 'fields' }, 'fields of the body that are never sent'],
};

const MODEL: Readonly<Record<string, Words>> = {
  context_window: [TOKENS, 'most tokens of a request and its answer; not set and not known: unknown'],
  max_output_tokens: [TOKENS, 'most tokens of an answer; where it is set it is asked for'],
  reasoning: [
    { type: 'word', words: REASONING_CONTROLS },
    'how thinking is controlled: `effort` (a level), `toggle`, `budget` (tokens) or `none`',
  ],
  modalities: [{ type: 'words', words: MODALITIES }, 'what it takes; without `image` no picture is sent'],
};

const PROVIDER: Readonly<Record<string, Words>> = {
  base_url: [{ type: 'url' }, 'where that server is'],
  api_key_env: [{ type: 'text' }, 'the environment variable that holds its key; never the key itself'],
  wire: [{ type: 'word', words: WIRES }, 'the format it takes'],
  'headers.*': [{ type: 'header' }, 'a header of every request: text, or `{ "env": "NAME" }`'],
  connect_timeout_ms: [TIME, 'until the connection stands, milliseconds; 0: no limit (30 s)'],
  headers_timeout_ms: [
    TIME,
    'until the answer begins, milliseconds; 0: no limit (10 min; none for a server of the local network)',
  ],
  idle_timeout_ms: [
    TIME,
    'between two pieces of an answer, milliseconds; 0: no limit (5 min; none for a server of the local network)',
  ],
  retries: [{ type: 'integer', min: 0, max: 20 }, 'attempts after the first (5)'],
};

function rules(prefix: string, words: Readonly<Record<string, Words>>): [string, Rule][] {
  return Object.entries(words).map(([key, [value, about]]) => [
    `${prefix}.${key}`,
    // All of them say where requests and keys go, or how they are written: nothing a project may choose for its user.
    { value, about, project: 'trusted-only' },
  ]);
}

/** What can be said of a model server and its models; `*` is a name of the user's own. */
export const PROVIDER_RULES: Readonly<Record<string, Rule>> = Object.fromEntries([
  ...rules('providers.*', PROVIDER),
  ...rules('providers.*', MODEL),
  ...rules('providers.*.quirks', QUIRKS),
  ...rules('providers.*.models.*', MODEL),
  ...rules('providers.*.models.*.quirks', QUIRKS),
]);
