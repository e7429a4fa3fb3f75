function replaceLoneSurrogates(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value;
}

/**
 * JSON for a request's body. Half a surrogate pair (from a cut, or a file's bytes) becomes U+FFFD: servers that decode
 * its escape refuse the whole request.
 */
export function toBodyJson(value: unknown): string {
  const text = JSON.stringify(value);
  // JSON.stringify escapes lone surrogates and only those, so this finds them all; the words `\ud8…` in a text are
  // found too, which costs time and changes nothing. The plain search is several times faster than the pattern.
  const isWhole = !text.includes('\\ud') || !/\\ud[89a-f]/.test(text);
  return isWhole ? text : JSON.stringify(value, replaceLoneSurrogates);
}
