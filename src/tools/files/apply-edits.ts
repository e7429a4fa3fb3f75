import type { ToolFailure } from '../../model/index.ts';
import type { EditArgs } from '../contract/index.ts';
import { countLines, lineEnd } from './line-window.ts';
import { nearMisses } from './near-misses.ts';
import { type NormalLines, normalizeGiven, normalizeLines } from './normal-lines.ts';
import { toUnitText } from './unit-text.ts';

type Edit = EditArgs['edits'][number];

export type Edited = { bytes: Uint8Array; replacements: number; firstLine: number; lastLine: number };

const MAX_LINES_TOLD = 20;

/**
 * Replaces texts in a file's bytes, each edit in what the one before left; all or nothing. A line end of `old` matches
 * any line end of the file, and new lines get the file's own. Bytes outside the replaced text are not touched,
 * whatever they are. `misses`: as `EditArgs` has it.
 */
export function applyEdits(
  bytes: Uint8Array,
  edits: readonly Edit[],
  path: string,
  misses?: EditArgs['misses'],
): Edited | ToolFailure {
  const units = toUnitText(bytes);
  let text = units.text;
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    const name = edits.length === 1 ? 'The old text' : `The old text of edit ${index + 1}`;
    const problem = misuse(edit, name, path);
    if (problem?.code === 'edit/no-change' && misses === 'ignored') continue;
    if (problem !== null) return problem;
    const file = normalizeLines(text);
    const old = normalizeGiven(units.encode(edit.old), file);
    const matches = findMatches(file.text, old, edit);
    if (matches.length === 0 && misses === 'ignored') continue;
    if (matches.length === 0) return notFound(name, path, file.text, old);
    if (matches.length > 1 && edit.all !== true) return notUnique(name, path, file.text, matches);
    text = replaceMatches(text, file, matches, old, normalizeGiven(units.encode(edit.new), file));
    replacements += matches.length;
  }
  if (text === units.text) {
    return {
      code: 'edit/no-change',
      message: `The edits leave ${path} as it is. Nothing was changed.`,
      data: { path },
    };
  }
  return { bytes: units.toBytes(text), replacements, ...changedLines(units.text, text) };
}

function misuse(edit: Edit, name: string, path: string): ToolFailure | null {
  if (edit.old === '') {
    const message = `${name} is empty. Give the text to replace; to fill a new file, write it. Nothing was changed.`;
    return { code: 'edit/empty-old', message, data: { path } };
  }
  if (edit.old !== edit.new) return null;
  const message = `${name} and its new text are the same. Nothing was changed.`;
  return { code: 'edit/no-change', message, data: { path } };
}

/** Overlapping matches count where uniqueness is asked for; to replace all, those are taken that do not overlap. */
function findMatches(text: string, old: string, { all, first }: Edit): number[] {
  const step = all === true ? old.length : 1;
  const matches: number[] = [];
  if (first === true && all !== true) {
    const at = text.indexOf(old);
    return at === -1 ? [] : [at];
  }
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + step)) matches.push(at);
  return matches;
}

function replaceMatches(text: string, file: NormalLines, matches: number[], old: string, replacement: string): string {
  const [head, tail] = commonEnds(old, replacement);
  const oldMiddle = old.slice(head, old.length - tail);
  const newMiddle = replacement.slice(head, replacement.length - tail);
  const parts: string[] = [];
  let done = 0;
  for (const match of matches) {
    const start = file.at(match + head);
    parts.push(text.slice(done, start), withLineEnds(newMiddle, oldMiddle, match + head, file));
    done = file.at(match + old.length - tail);
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** As many lines as before: each keeps its end. Otherwise every end is the file's usual one. */
function withLineEnds(replacement: string, replaced: string, at: number, file: NormalLines): string {
  const lines = replacement.split('\n');
  const ends: number[] = [];
  for (let end = replaced.indexOf('\n'); end !== -1; end = replaced.indexOf('\n', end + 1)) ends.push(at + end);
  const keep = ends.length === lines.length - 1;
  return lines.reduce((text, line, index) => {
    const end = ends[index - 1];
    return `${text}${keep && end !== undefined ? file.endAt(end) : file.usual}${line}`;
  });
}

function commonEnds(left: string, right: string): [head: number, tail: number] {
  const shorter = Math.min(left.length, right.length);
  let head = 0;
  while (head < shorter && left[head] === right[head]) head += 1;
  let tail = 0;
  while (tail < shorter - head && left[left.length - 1 - tail] === right[right.length - 1 - tail]) tail += 1;
  return [head, tail];
}

/** The lines of the new text that hold the first and the last difference. */
function changedLines(before: string, after: string): { firstLine: number; lastLine: number } {
  const [head, tail] = commonEnds(before, after);
  const firstLine = lineOf(after, head);
  return { firstLine, lastLine: Math.max(firstLine, lineOf(after, after.length - tail - 1)) };
}

/** The line of the unit at this index, 1-based; at the end of the text that of its last unit. */
function lineOf(text: string, index: number): number {
  const end = lineEnd(text);
  let line = 1;
  for (let at = text.indexOf(end); at !== -1 && at < index; at = text.indexOf(end, at + 1)) line += 1;
  return Math.min(line, Math.max(1, countLines(text)));
}

function notUnique(name: string, path: string, text: string, matches: readonly number[]): ToolFailure {
  const lines = matches.map((match) => lineOf(text, match));
  const told = lines.slice(0, MAX_LINES_TOLD).join(', ');
  const more = lines.length > MAX_LINES_TOLD ? ` and ${lines.length - MAX_LINES_TOLD} more` : '';
  return {
    code: 'edit/not-unique',
    message: `${name} occurs ${matches.length} times in ${path}, at lines ${told}${more}. Nothing was changed. Add lines around it until it is unique, or ask for all of them to be replaced.`,
    data: { path, count: matches.length, lines: lines.slice(0, MAX_LINES_TOLD) },
  };
}

function notFound(name: string, path: string, text: string, old: string): ToolFailure {
  const near = nearMisses(text, old);
  const where = near.length === 1 ? `line ${near[0]}` : `lines ${near.join(', ')}`;
  const hint = near.length === 0 ? '' : ` Only its white space differs from the text at ${where}.`;
  return {
    code: 'edit/not-found',
    message: `${name} does not occur in ${path}.${hint} Nothing was changed.`,
    data: { path, ...(near.length === 0 ? {} : { near }) },
  };
}
