/** Length of the text in UTF-8 bytes. */
export function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8');
}

/** The longest prefix of whole characters that fits in `bytes` UTF-8 bytes. */
export function cutHead(text: string, bytes: number): string {
  const whole = Buffer.from(text, 'utf8');
  if (whole.length <= bytes) return text;
  let end = Math.max(0, bytes);
  while (end > 0 && isContinuation(whole[end])) end -= 1;
  return whole.toString('utf8', 0, end);
}

/** The longest prefix of whole characters that takes at most so many UTF-16 units. */
export function cutUnits(text: string, units: number): string {
  const end = Math.max(0, units);
  const isSplit = end > 0 && end < text.length && /[\ud800-\udbff]/.test(text.charAt(end - 1));
  return text.slice(0, isSplit && /[\udc00-\udfff]/.test(text.charAt(end)) ? end - 1 : end);
}

/** The longest suffix of whole characters that fits in `bytes` UTF-8 bytes. */
export function cutTail(text: string, bytes: number): string {
  const whole = Buffer.from(text, 'utf8');
  if (whole.length <= bytes) return text;
  let start = whole.length - Math.max(0, bytes);
  while (start < whole.length && isContinuation(whole[start])) start += 1;
  return whole.toString('utf8', start);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

/** Only spaces, tabs, newlines and carriage returns, or nothing at all. */
export function isBlank(text: string): boolean {
  return /^[ \t\r\n]*$/.test(text);
}

/** Compares by code point, which is also the order of the UTF-8 bytes; `Array.sort`'s own order differs above U+FFFF. */
export function compareCodePoints(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  for (let index = 0; index < shorter; index += 1) {
    const a = left.charCodeAt(index);
    const b = right.charCodeAt(index);
    if (a !== b) return fixSurrogate(a) - fixSurrogate(b);
  }
  return left.length - right.length;
}

// Moves surrogates above the rest of the basic plane, so that code units compare as code points do.
function fixSurrogate(unit: number): number {
  if (unit >= 0xe000) return unit - 0x800;
  if (unit >= 0xd800) return unit + 0x2000;
  return unit;
}

/** The candidate nearest to a mistyped word, when it is near enough to be meant. */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  let best: { candidate: string; distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(word.toLowerCase().slice(0, 64), candidate.toLowerCase());
    if (best === undefined || distance < best.distance) best = { candidate, distance };
  }
  return best !== undefined && best.distance <= Math.max(2, Math.floor(word.length / 3)) ? best.candidate : undefined;
}

function editDistance(left: string, right: string): number {
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const substitution = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      current.push(Math.min((previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, substitution));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
