import { UsageError } from '../../base/index.ts';
import type { Json } from '../../model/index.ts';

/** 1-based. */
export type Position = { line: number; column: number };

/** A value of a YAML or JSON file that knows where it stands. */
export type Located = { at: Position } & (
  | { kind: 'scalar'; value: string | number | boolean | null }
  | { kind: 'list'; items: readonly Located[] }
  | { kind: 'map'; entries: ReadonlyMap<string, { at: Position; value: Located }> }
);

/** `file:line:column: what`, as editors understand it. */
export function scriptError(path: string, at: Position, what: string): UsageError {
  return new UsageError('rehearsal/script', `${path}:${at.line}:${at.column}: ${what}`, { data: { path, ...at } });
}

export function toPlain(located: Located): Json {
  if (located.kind === 'scalar') return located.value;
  if (located.kind === 'list') return located.items.map(toPlain);
  return Object.fromEntries([...located.entries].map(([key, entry]) => [key, toPlain(entry.value)]));
}
