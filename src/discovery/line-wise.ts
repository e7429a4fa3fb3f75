import type { Json } from '../model/index.ts';
import { type HeadData, readPlainValue } from './plain-yaml.ts';

const KEY = /^[\p{L}\p{N}_][\p{L}\p{N}_.-]{0,127}$/u;
const BLOCK_SCALAR = /^[|>][-+0-9]{0,2}$/;

/**
 * What can be had of a head that is no YAML: `key: the rest of the line`, each key where it comes first. A value that
 * is plain by itself (`true`, `[a, b]`) is what it would be in YAML; any other is its text, without quotes around it.
 */
export function readLineWise(head: string): HeadData {
  const data = new Map<string, Json>();
  const lines: [string, number][] = [];
  const all = head.split('\n');
  for (const [index, line] of all.entries()) {
    const entry = entryOf(line);
    if (entry === null || data.has(entry.key)) continue;
    data.set(entry.key, BLOCK_SCALAR.test(entry.rest) ? below(all, index + 1, entry.rest) : readRest(entry.rest));
    lines.push([entry.key, index + 1]);
  }
  return { data: Object.fromEntries(data), lines: Object.fromEntries(lines) };
}

function entryOf(line: string): { key: string; rest: string } | null {
  const colon = /:(?=[ \t]|$)/.exec(line)?.index;
  if (colon === undefined) return null;
  const key = line.slice(0, colon).trimEnd();
  return KEY.test(key) ? { key, rest: line.slice(colon + 1).trim() } : null;
}

function readRest(rest: string): Json {
  if (rest === '') return null;
  const plain = readPlainValue(rest);
  if (plain !== undefined) return plain;
  const quote = rest[0];
  const isQuoted = rest.length > 1 && (quote === '"' || quote === "'") && rest.indexOf(quote, 1) === rest.length - 1;
  return isQuoted ? rest.slice(1, -1) : rest;
}

/** The text of a block scalar: the indented lines that follow. */
function below(lines: readonly string[], start: number, header: string): string {
  const text: string[] = [];
  for (const line of lines.slice(start)) {
    if (!/^(?:[ \t]|$)/.test(line)) break;
    text.push(line.trim());
  }
  return text.join(header.startsWith('|') ? '\n' : ' ').trim();
}
