import { type CST, type Document, isAlias, isMap, isScalar, LineCounter, Parser, parseDocument, visit } from 'yaml';
import { printable } from '../base/index.ts';
import type { FrontMatter, Json } from '../model/index.ts';
import type { HeadData } from './plain-yaml.ts';

// Far beyond any head that a person writes: what is more is there to cost time or memory.
const MAX_ALIASES = 32;
const MAX_DEPTH = 32;
const MAX_VALUES = 10_000;
/** Keys that one line may hold. */
const MAX_KEYS = 256;
const MAX_FAULTS = 16;

type Faults = FrontMatter['faults'];

/** The head read by the YAML parser, lines from 1 of the head; `read` is null where it has faults. */
export function readYaml(head: string): { read: HeadData | null; faults: Faults } {
  if (looksTooDeep(head)) return refused('it is nested too deep');
  try {
    return isTooDeep(head) ? refused('it is nested too deep') : parse(head);
  } catch (error) {
    // The parser throws for what only shows when values are made: an alias of itself, too many of them.
    return refused(error instanceof Error ? printable(error.message) : 'it cannot be read');
  }
}

function refused(message: string): { read: null; faults: Faults } {
  return { read: null, faults: [{ message, line: 1, column: 1 }] };
}

function parse(head: string): { read: HeadData | null; faults: Faults } {
  const counter = new LineCounter();
  const document = parseDocument(head, {
    version: '1.2',
    schema: 'core',
    stringKeys: true,
    // A set, bytes or a date is no JSON: they stay what they are without their tag.
    resolveKnownTags: false,
    // Compares all with all: done below.
    uniqueKeys: false,
    prettyErrors: false,
    // `silent` would also keep a second document silent.
    logLevel: 'error',
    lineCounter: counter,
  });
  const found: { message: string; offset: number }[] = [
    ...document.errors.slice(0, MAX_FAULTS).map(({ message, pos }) => ({ message, offset: pos[0] })),
    ...repeatedKeys(document),
  ];
  if (found.length > 0) {
    const faults = found.slice(0, MAX_FAULTS).map(({ message, offset }) => {
      const { line, col } = counter.linePos(offset);
      return { message: printable(message), line: Math.max(1, line), column: Math.max(1, col) };
    });
    return { read: null, faults };
  }
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return { read: NOTHING, faults: [] };
  if (!isMap(contents)) return refused('it is not a mapping of keys to values');
  visit(document, { Scalar: (_key, node) => keepAsWritten(node) });
  const data = toJson(document.toJS({ maxAliasCount: MAX_ALIASES }), { left: MAX_VALUES }, 0);
  if (data === undefined || data === null || typeof data !== 'object' || Array.isArray(data)) {
    return refused('it is nested too deep or holds too many values');
  }
  const lines = contents.items.map(({ key }): [string, number] => {
    const offset = isScalar(key) || isAlias(key) ? (key.range?.[0] ?? 0) : 0;
    return [keyText(key), Math.max(1, counter.linePos(offset).line)];
  });
  return { read: { data, lines: Object.fromEntries(lines) }, faults: [] };
}

/** Keys that stand twice in one mapping, in the whole document. */
function repeatedKeys(document: Document): { message: string; offset: number }[] {
  const repeated: { message: string; offset: number }[] = [];
  visit(document, {
    Map(_key, map) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const name = keyText(key);
        if (seen.has(name)) {
          const offset = isScalar(key) ? (key.range?.[0] ?? 0) : 0;
          repeated.push({ message: `the key ${JSON.stringify(name)} stands twice`, offset });
        }
        seen.add(name);
        if (repeated.length >= MAX_FAULTS) return visit.BREAK;
      }
      return undefined;
    },
  });
  return repeated;
}

/** A key as JSON would name it; one that is no scalar has no name here. */
function keyText(key: unknown): string {
  if (!isScalar(key)) return '';
  const { value } = key;
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : '';
}

const NOTHING: HeadData = { data: {}, lines: {} };

/** What JSON cannot hold, or not exactly, is the text it was written as: an infinite or large number, bytes. */
function keepAsWritten(node: { value: unknown; source?: string }): void {
  const { value } = node;
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return;
  const isInexact = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== 'number' || !Number.isFinite(value) || isInexact)
    node.value = node.source ?? (isPlain(value) ? String(value) : '');
}

function isPlain(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint';
}

/** Undefined: more or deeper than is sensible. `fromEntries` makes `__proto__` a key like any other. */
function toJson(value: unknown, budget: { left: number }, depth: number): Json | undefined {
  budget.left -= 1;
  if (budget.left < 0 || depth > MAX_DEPTH) return undefined;
  if (typeof value === 'number') return value === 0 ? 0 : value;
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (Array.isArray(value)) {
    const items: Json[] = [];
    for (const item of value) {
      const json = toJson(item, budget, depth + 1);
      if (json === undefined) return undefined;
      items.push(json);
    }
    return items;
  }
  if (typeof value !== 'object') return isPlain(value) ? String(value) : '';
  const entries: [string, Json][] = [];
  for (const [key, item] of Object.entries(value)) {
    const json = toJson(item, budget, depth + 1);
    if (json === undefined) return undefined;
    entries.push([key, json]);
  }
  return Object.fromEntries(entries);
}

/**
 * Without a look at quotes and comments. What reads YAML is recursive, and a process whose stack is at its end can die
 * without an error to catch: so this is judged before it.
 */
function looksTooDeep(head: string): boolean {
  let open = 0;
  for (const character of head) {
    if (character === '[' || character === '{') open += 1;
    else if (character === ']' || character === '}') open = Math.max(0, open - 1);
    if (open > MAX_DEPTH) return true;
  }
  return head.split('\n').some((line) => {
    const lead = /^[-?: \t]*/.exec(line)?.[0] ?? '';
    if (lead.replace(/[ \t]/g, '').length > MAX_DEPTH || lead.length > 4 * MAX_DEPTH) return true;
    return (line.match(/:(?=[ \t\r]|$)/g)?.length ?? 0) > MAX_KEYS;
  });
}

/** As the tokens are nested, before values are made of them. */
function isTooDeep(head: string): boolean {
  const waiting: { token: CST.Token; depth: number }[] = [];
  const wait = (token: CST.Token | null | undefined, depth: number): void => {
    if (token) waiting.push({ token, depth });
  };
  for (const token of new Parser().parse(head)) wait(token, 0);
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { token, depth } = next;
    // Only what could exhaust the stack: the exact bound is that of the values.
    if (depth > 2 * MAX_DEPTH) return true;
    if (token.type === 'document') wait(token.value, depth);
    if (!('items' in token)) continue;
    for (const { key, value } of token.items) {
      wait(key, depth + 1);
      wait(value, depth + 1);
    }
  }
  return false;
}
