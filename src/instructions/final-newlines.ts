/** The text without the newlines at its end. A loop, since `\n+$` takes quadratic time over long runs of blank lines. */
export function withoutFinalNewlines(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 10) end -= 1;
  return text.slice(0, end);
}
