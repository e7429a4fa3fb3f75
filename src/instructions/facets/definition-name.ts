import { printable } from '../../base/index.ts';

/** Characters. */
export const MAX_NAME = 64;
export const MAX_DESCRIPTION = 1024;

/** Control and format characters, half characters, blanks, and what could open or close a tag. */
const UNSAFE = /[\p{C}\p{Z}\s<>]/u;

/** A name that can stand in a list, a tag and a command line without becoming more than a name. */
export function isSafeName(name: string): boolean {
  return name !== '' && name.length <= 4 * MAX_NAME && !UNSAFE.test(name);
}

/** A name that every program which reads such files accepts. */
export function isPlainName(name: string): boolean {
  return name.length <= MAX_NAME && /^[a-z0-9:_.-]+$/.test(name);
}

/** All white space and control characters of a text become single blanks; over the limit it is cut. */
export function descriptionLine(text: string): { line: string; cut: boolean } {
  const line = text
    .toWellFormed()
    .replace(/[\s\p{Cc}\u2028\u2029]+/gu, ' ')
    .trim();
  if (line.length <= MAX_DESCRIPTION) return { line, cut: false };
  const characters = Array.from(line);
  if (characters.length <= MAX_DESCRIPTION) return { line, cut: false };
  return { line: `${characters.slice(0, MAX_DESCRIPTION - 1).join('')}…`, cut: true };
}

/** As a name stands in a message: quoted, on one line, of bounded length. */
export function shownName(name: string): string {
  return printable(JSON.stringify(name.slice(0, 100).toWellFormed()));
}

/** Names in a message, the rest as a number. */
export function listedNames(names: readonly string[], most = 40): string {
  const shown = names.slice(0, most).join(', ');
  return names.length > most ? `${shown}, and ${names.length - most} more` : shown;
}
