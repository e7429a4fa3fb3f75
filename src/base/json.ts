import { byteLength } from './text.ts';

// Besides what JSON.stringify escapes itself: DEL, the C1 controls (U+0085 breaks lines in some readers) and the two
// Unicode line separators.
const UNSAFE = /[\u007f-\u009f\u2028\u2029]/g;

/** How JSON.stringify writes half a character. */
const LONE_SURROGATE = /\\ud[89a-f]/;
const DELETE = '\u007f';

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function replaceLoneSurrogates(_key: string, value: unknown): unknown {
  return typeof value === 'string' && !value.isWellFormed() ? value.toWellFormed() : value;
}

/**
 * JSON on one line, whoever reads it: no raw control character, no Unicode line separator, no lone surrogate (those
 * become U+FFFD). Without the final newline.
 */
export function toJsonLine(value: unknown): string {
  const plain = JSON.stringify(value);
  // A replacer makes it several times slower; the same letters in a text that quotes an escape only cost that time.
  const isWhole = !plain.includes('\\ud') || !LONE_SURROGATE.test(plain);
  const text = isWhole ? plain : JSON.stringify(value, replaceLoneSurrogates);
  // Most lines are ASCII, which is known sooner than what a pattern finds.
  const isSafe = byteLength(text) === text.length && !text.includes(DELETE);
  return isSafe ? text : text.replace(UNSAFE, escapeUnit);
}

function sortKeys(_key: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const record = value as Record<string, unknown>;
  const sorted: Record<string, unknown> = {};
  for (const key of Object.keys(record).sort()) sorted[key] = record[key];
  return sorted;
}

/** JSON whose bytes depend on the value alone, not on the order in which keys were set. For hashes. */
export function toStableJson(value: unknown): string {
  return JSON.stringify(value, sortKeys);
}

/** The value of a JSON text, or undefined where it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
