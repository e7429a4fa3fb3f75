import { compareCodePoints } from '../base/index.ts';
import type { ListedDirectory, ListedEntry } from '../model/index.ts';

const ROOT_WIDTH = 30;
const CHILD_WIDTH = 10;

type Shown = { kept: readonly ListedEntry[]; more: number };

function collect(directory: ListedDirectory, width: number): Shown {
  const sorted = [...directory.entries].sort(
    (left, right) => Number(right.directory) - Number(left.directory) || compareCodePoints(left.name, right.name),
  );
  const kept = sorted.slice(0, width);
  return { kept, more: Math.max(directory.total ?? 0, sorted.length) - kept.length };
}

/** A name on one line of its own, whatever is in it. */
function shownName(name: string): string {
  return name.replace(/[\p{Cc}\u2028\u2029]/gu, (unit) => `\\u{${(unit.codePointAt(0) ?? 0).toString(16)}}`);
}

function childLines(directory: ListedDirectory | 'unreadable', prefix: string): string[] {
  if (directory === 'unreadable') return [`${prefix}└── [not readable]`];
  const { kept, more } = collect(directory, CHILD_WIDTH);
  const lines = kept.map((entry, index) => {
    const connector = index === kept.length - 1 && more === 0 ? '└── ' : '├── ';
    return `${prefix}${connector}${shownName(entry.name)}${entry.directory ? '/' : ''}`;
  });
  return more === 0 ? lines : [...lines, `${prefix}└── ... and ${more} more`];
}

/**
 * Two levels of a directory as a tree (spec/kimi-cli.md 5): directories first, then by code point; at most 30 entries
 * and 10 in each directory, the rest counted. No newline at the end. Null: it could not be read.
 */
export function renderListing(root: ListedDirectory | null): string {
  if (root === null) return '(empty directory)';
  const { kept, more } = collect(root, ROOT_WIDTH);
  const lines = kept.flatMap((entry, index) => {
    const last = index === kept.length - 1 && more === 0;
    const line = `${last ? '└── ' : '├── '}${shownName(entry.name)}${entry.directory ? '/' : ''}`;
    return [line, ...childLines(entry.children ?? { entries: [] }, last ? '    ' : '│   ')];
  });
  if (more > 0) lines.push(`└── ... and ${more} more entries`);
  return lines.length === 0 ? '(empty directory)' : lines.join('\n');
}
