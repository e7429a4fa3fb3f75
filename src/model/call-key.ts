import { parseJson, toStableJson } from '../base/index.ts';
import type { CallPart } from './part.ts';

/** Characters; longer arguments are compared as they were written. */
const LONGEST = 64 * 1024;

/** Equal for calls of one tool with the same arguments, however these are written. */
export function callKey({ name, arguments: given }: Pick<CallPart, 'name' | 'arguments'>): string {
  return `${name} ${canonicalArguments(given)}`;
}

/** The arguments with sorted keys and without blanks; as they are where they are no JSON, too long or too deep. */
export function canonicalArguments(given: string): string {
  if (given.length > LONGEST) return given;
  const value = given.trim() === '' ? {} : parseJson(given);
  if (value === undefined) return given;
  try {
    return toStableJson(value);
  } catch {
    // Nested deeper than the stack goes.
    return given;
  }
}
