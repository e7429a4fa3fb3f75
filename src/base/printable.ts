// Control characters, line separators, and the marks that reorder what a terminal shows.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/**
 * A name or path as one safe line, what is unsafe as `\u000a`; over `limit` characters its middle is left out. For
 * messages: data keeps the whole.
 */
export function printable(path: string, limit = 240): string {
  const line = path.toWellFormed().replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  if (line.length <= limit) return line;
  const characters = Array.from(line);
  const half = Math.floor(limit / 2);
  return characters.length <= limit
    ? line
    : `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}
