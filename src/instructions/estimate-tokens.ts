/** How `estimateTokens` counts; named in every report, since the figure is no provider's own. */
export const TOKEN_METHOD: string = 'estimate: 4 ASCII, 2 other or 1 wide character a token';

// From here on scripts are mostly written without spaces, a token or so a character: CJK, kana, Hangul, emoji.
const FIRST_WIDE = 0x2e80;

/** What one UTF-16 unit takes, in quarters of a token. */
export function quartersOf(unit: number): number {
  // Half a surrogate pair each: the pair is one wide character.
  if (unit >= 0xd800 && unit <= 0xdfff) return 2;
  if (unit < 0x80) return 1;
  return unit < FIRST_WIDE ? 2 : 4;
}

/**
 * About how many tokens a text is, without a tokenizer: within some 20 % for English prose and code, higher for dense
 * symbols. An empty text is 0, any other at least 1.
 */
export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let index = 0; index < text.length; index += 1) quarters += quartersOf(text.charCodeAt(index));
  return Math.ceil(quarters / 4);
}

/** What a picture of the largest size that is sent costs with most providers. */
export const PICTURE_TOKENS = 1600;

const PICTURE = /data:image\/[a-z+.-]{1,40};base64,[A-Za-z0-9+/=]*/g;

/** The same for messages in a wire's JSON: a picture counts as one, not by the characters that it is written in. */
export function estimateMessageTokens(json: string): number {
  let pictures = 0;
  const text = json.replace(PICTURE, () => {
    pictures += 1;
    return '';
  });
  return estimateTokens(text) + pictures * PICTURE_TOKENS;
}
