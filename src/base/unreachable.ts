import { UnreachableError } from './error.ts';

/** Closes an exhaustive switch: the compiler refuses a forgotten case, and a value from outside fails loudly. */
export function unreachable(value: never): never {
  throw new UnreachableError(value);
}
