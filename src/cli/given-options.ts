import { UsageError } from '../base/index.ts';
import type { GivenOption } from './command-line.ts';

/** The value of the last one given; null: not given. */
export function lastValue(options: readonly GivenOption[], name: string): string | null {
  return options.findLast((option) => option.name === name)?.value ?? null;
}

/** All values, in order. */
export function allValues(options: readonly GivenOption[], name: string): readonly string[] {
  return options.filter((option) => option.name === name).map((option) => option.value ?? '');
}

export function isGiven(options: readonly GivenOption[], name: string): boolean {
  return options.some((option) => option.name === name);
}

/** A whole number between the bounds, inclusive; null: not given. Throws UsageError. */
export function wholeNumber(options: readonly GivenOption[], name: string, from: number, to: number): number | null {
  const text = lastValue(options, name);
  if (text === null) return null;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  const range = to === Number.MAX_SAFE_INTEGER ? `a whole number from ${from}` : `a whole number from ${from} to ${to}`;
  throw new UsageError('usage/not-a-number', `--${name} ${JSON.stringify(text)} is not ${range}`);
}

/** Throws UsageError when more than one of these was given. */
export function refuseTogether(options: readonly GivenOption[], names: readonly string[]): void {
  const [first, second] = names.filter((name) => isGiven(options, name));
  if (first === undefined || second === undefined) return;
  throw new UsageError('usage/conflict', `--${first} and --${second} cannot be given together`);
}
