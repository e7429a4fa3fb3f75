import type { Wire } from './wire.ts';

/** How a model's thinking is controlled: by a level, a switch, a number of tokens, or not at all. */
export type ReasoningControl = 'effort' | 'toggle' | 'budget' | 'none';

export const REASONING_CONTROLS: readonly ReasoningControl[] = ['effort', 'toggle', 'budget', 'none'];

/** What a model takes. Text is always taken. */
export type Modality = 'text' | 'image';

export const MODALITIES: readonly Modality[] = ['text', 'image'];

/**
 * Where a server departs from the plain format, as data, under the names of the settings file. What needs no quirk is
 * always so: one leading system message, no developer role, calls told apart whatever index they come with, answers
 * without token counts.
 */
export type Quirks = {
  /** `content` of an answer that has calls and no text. */
  null_content: 'null' | 'empty' | 'omit';
  /** The field in which an answer's reasoning goes back to the model that wrote it. */
  reasoning_replay: 'reasoning_content' | 'reasoning' | 'none';
  /** Of an answer with calls and without reasoning of its own: `placeholder` for servers that refuse it. */
  empty_reasoning: 'omit' | 'placeholder';
  /** The field in which thinking is switched; `plain`: `reasoning_effort`, for switches and budgets `thinking`. */
  reasoning_switch: 'plain' | 'reasoning' | 'enable_thinking' | 'chat_template_kwargs';
  /** false: `stream_options` is refused, so token counts are not asked for. */
  stream_usage: boolean;
  max_tokens_field: 'max_tokens' | 'max_completion_tokens';
  /** The most that is ever asked for, tokens; null: no bound. */
  max_tokens_cap: number | null;
  /** Ids of calls: `word` are at most 40 of letters, digits, `_` and `-`; `nine` are nine letters or digits. */
  call_ids: 'any' | 'word' | 'nine';
  /** Where a tool's pictures go: most servers take none inside a result. */
  tool_images: 'after-results' | 'in-result';
  /** A user message straight after a tool's result is refused: a short answer is put between. */
  answer_after_results: boolean;
  /** Two user messages in a row are refused: neighbours are sent as one. */
  merge_user_messages: boolean;
  /** Fields of the body that are refused: left out. */
  drop_fields: readonly string[];
};

/** What is known of one model, under `providers.ID.models.MODEL`. Sizes in tokens. */
export type ModelSettings = {
  context_window?: number;
  max_output_tokens?: number;
  reasoning?: ReasoningControl;
  modalities?: readonly Modality[];
  quirks?: Partial<Quirks>;
};

/** A model server of the user's own, or what is different with a known one, under `providers.ID`. */
export type ProviderSettings = ModelSettings & {
  base_url?: string;
  /** The environment variable that holds the key; never the key itself. */
  api_key_env?: string;
  wire?: Wire;
  /** Sent with every request. A value is text, or the name of the variable that holds it. */
  headers?: Readonly<Record<string, string | { env: string }>>;
  /** Milliseconds; 0: no limit. */
  connect_timeout_ms?: number;
  headers_timeout_ms?: number;
  idle_timeout_ms?: number;
  /** Attempts after the first. */
  retries?: number;
  models?: Readonly<Record<string, ModelSettings>>;
};
