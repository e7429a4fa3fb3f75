// Control characters, line separators, and the marks that reorder what a terminal shows.
const UNSAFE = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;
const MAX_CHARACTERS = 240;

/** A name or path as one safe line for a message; over 240 characters its middle is left out. Data keeps the whole. */
export function printable(path: string): string {
  const line = path.toWellFormed().replace(UNSAFE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  const characters = Array.from(line);
  if (characters.length <= MAX_CHARACTERS) return line;
  const half = MAX_CHARACTERS / 2;
  return `${characters.slice(0, half).join('')}…${characters.slice(-half).join('')}`;
}

/** `2,097,152`, in any locale. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
