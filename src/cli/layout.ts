import { isAbsolute, relative } from 'node:path';
import { printable } from '../base/index.ts';

const GROUPS = /\B(?=(\d{3})+$)/g;

/** `12,345` */
export function count(value: number): string {
  return String(Math.round(value)).replace(GROUPS, ',');
}

/** Right-aligned. */
export function padded(text: string, width: number): string {
  return text.padStart(width);
}

/** Relative where the path is `base` or below it, else as it is; on one line. */
export function shortPath(path: string, base: string): string {
  if (!isAbsolute(path)) return printable(path);
  const below = relative(base, path);
  if (below === '') return '.';
  return printable(below.startsWith('..') || isAbsolute(below) ? path : below);
}

/** Lines of at most `width` characters, each indented; a longer word has a line of its own. */
export function wrapped(text: string, width: number, indent: number): string[] {
  const room = Math.max(20, width - indent);
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(/\s+/)) {
    if (line !== '' && line.length + 1 + word.length > room) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  if (line !== '') lines.push(line);
  return lines.map((content) => `${' '.repeat(indent)}${content}`);
}
