/** What a server of the plain format may refuse, in its words, and the quirk that leaves it out (docs/providers.md). */
const REFUSALS: readonly (readonly [words: RegExp, quirk: string, value: string])[] = [
  [/stream_options/i, 'stream_usage', 'false'],
  [/max_completion_tokens['"` ]* instead/i, 'max_tokens_field', '"max_completion_tokens"'],
  [/roles? must alternate|must alternate between user/i, 'merge_user_messages', 'true'],
  [/reasoning_content.*(?:missing|required|must be (?:passed|provided))/i, 'empty_reasoning', '"placeholder"'],
  [
    /(?:unknown|unsupported|unrecognized|unexpected|extra|not permitted).*reasoning_content|reasoning_content.*(?:not permitted|not allowed|unsupported|not supported)/i,
    'reasoning_replay',
    '"none"',
  ],
];

/** The setting that would help against a refusal in these words, as the end of a message; empty where none is known. */
export function refusalHint(words: string, provider: string): string {
  const known = REFUSALS.find(([pattern]) => pattern.test(words));
  if (known !== undefined) return ` (for such a server: ${setting(provider, known[1])} = ${known[2]})`;
  if (/unsupported.*reasoning_effort|reasoning_effort.*not support/i.test(words)) {
    return ' (leave --effort out, or set "reasoning" of this model to "none")';
  }
  return '';
}

function setting(provider: string, quirk: string): string {
  const name = /^[\w-]+$/.test(provider) ? provider : JSON.stringify(provider);
  return `providers.${name}.quirks.${quirk}`;
}
