import type { Quirks } from '../../model/index.ts';

/** The plain format, for servers of which nothing is known. */
export const DEFAULT_QUIRKS: Quirks = {
  // Present even without text: some servers refuse a message without the key, none refuses null beside calls.
  null_content: 'null',
  reasoning_replay: 'reasoning_content',
  empty_reasoning: 'omit',
  reasoning_switch: 'plain',
  stream_usage: true,
  max_tokens_field: 'max_tokens',
  max_tokens_cap: null,
  call_ids: 'any',
  tool_images: 'after-results',
  answer_after_results: false,
  merge_user_messages: false,
  drop_fields: [],
};

/** Later ones in force. */
export function mergeQuirks(...layers: readonly (Partial<Quirks> | undefined)[]): Quirks {
  return Object.assign({ ...DEFAULT_QUIRKS }, ...layers);
}
