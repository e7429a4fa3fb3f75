import type { Json } from '../model/index.ts';

// A reader of the YAML that most heads are made of, so that they cost no parser. It answers only what YAML 1.2 (core
// schema) says without a doubt, and null for all else; a property test holds it to the parser.

/** `lines`: where each top-level key stands in the head, from 1. */
export type HeadData = { data: Readonly<Record<string, Json>>; lines: Readonly<Record<string, number>> };

/** Characters that are a line break, a mark or unprintable to some reader of YAML are left to the parser. */
const HARMLESS = /^[\x20-\x7e\u00a1-\u167f\u1681-\u1fff\u2010-\u2027\u2030-\ud7ff]*$/;
const ENTRY = /^([A-Za-z_][A-Za-z0-9_-]{0,127}):(?: +(.*))?$/;
const INTEGER = /^(?:0|-?[1-9][0-9]{0,14})$/;
const SINGULAR = new Set(['~', 'null', 'true', 'false']);

type Line = { indent: number; text: string; number: number };

/** The data of a head without its marks, lines ended by `\n`; null: it is for the parser. */
export function readPlainYaml(head: string): HeadData | null {
  const read = linesOf(head);
  if (read === null) return null;
  const data = new Map<string, Json>();
  const lines: [string, number][] = [];
  for (let at = 0; at < read.length; ) {
    const line = read[at];
    const entry = line === undefined || line.indent > 0 ? null : ENTRY.exec(line.text);
    if (line === undefined || entry === null) return null;
    const [, key = '', rest = ''] = entry;
    if (data.has(key)) return null;
    const below = blockBelow(read, at + 1);
    const value = rest === '' ? readBlock(below) : below.length === 0 ? readPlainValue(rest) : undefined;
    if (value === undefined) return null;
    data.set(key, value);
    lines.push([key, line.number]);
    at += 1 + below.length;
  }
  return { data: Object.fromEntries(data), lines: Object.fromEntries(lines) };
}

/** Without blank ones and comments. Null: a character is in it that is not harmless. */
function linesOf(head: string): Line[] | null {
  const lines: Line[] = [];
  for (const [index, whole] of head.split('\n').entries()) {
    if (!HARMLESS.test(whole)) return null;
    const text = whole.trim();
    if (text === '' || whole.startsWith('#')) continue;
    lines.push({ indent: whole.length - whole.trimStart().length, text, number: index + 1 });
  }
  return lines;
}

/** The lines that belong to the key before them: indented ones, or items at its own place. */
function blockBelow(lines: readonly Line[], start: number): readonly Line[] {
  let end = start;
  for (
    let line = lines[end];
    line !== undefined && (line.indent > 0 || line.text.startsWith('- '));
    line = lines[end]
  ) {
    end += 1;
  }
  return lines.slice(start, end);
}

function readBlock(lines: readonly Line[]): Json | undefined {
  const [first] = lines;
  if (first === undefined) return null;
  if (lines.some((line) => line.indent !== first.indent)) return undefined;
  return first.text.startsWith('- ') ? readItems(lines) : readNested(lines);
}

function readItems(lines: readonly Line[]): Json | undefined {
  const items: Json[] = [];
  for (const { text } of lines) {
    const item = text.startsWith('- ') ? readScalar(text.slice(2).trimStart()) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readNested(lines: readonly Line[]): Json | undefined {
  const data = new Map<string, Json>();
  for (const { text } of lines) {
    const [, key, rest = ''] = ENTRY.exec(text) ?? [];
    const value = rest === '' ? null : readPlainValue(rest);
    if (key === undefined || value === undefined || data.has(key)) return undefined;
    data.set(key, value);
  }
  return Object.fromEntries(data);
}

/** What stands after a key on its line, without spaces around it: a scalar or a flat list. Undefined: for the parser. */
export function readPlainValue(text: string): Json | undefined {
  return text.startsWith('[') ? readList(text) : readScalar(text);
}

function readList(text: string): Json | undefined {
  if (!text.endsWith(']')) return undefined;
  const inner = text.slice(1, -1).trim();
  if (inner === '') return [];
  const items: Json[] = [];
  for (const part of inner.split(',')) {
    const word = part.trim();
    const item = /^[A-Za-z0-9_"'][A-Za-z0-9_./ "'-]*$/.test(word) ? readScalar(word) : undefined;
    if (item === undefined) return undefined;
    items.push(item);
  }
  return items;
}

function readScalar(text: string): Json | undefined {
  if (/^"[^"\\]*"$/.test(text) || /^'[^']*'$/.test(text)) return text.slice(1, -1);
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (INTEGER.test(text)) return Number(text);
  // A number begins with a digit and holds no space.
  if (!/^[A-Za-z_/(]/.test(text) && !/^[0-9][^ ]* /.test(text)) return undefined;
  if (SINGULAR.has(text.toLowerCase())) return undefined;
  return /: |:$| #/.test(text) ? undefined : text;
}
