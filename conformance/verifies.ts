import { test } from 'vitest';
import { REQUIREMENTS } from './requirements.ts';

const KNOWN = new Set(REQUIREMENTS.map(({ id }) => id));

/** A test of one or more requirements. `title`: the observable behaviour in one clause. */
export function verifies(
  ids: string | readonly string[],
  title: string,
  body: () => Promise<void>,
  timeoutMs?: number,
): void {
  const list = typeof ids === 'string' ? [ids] : ids;
  const unknown = list.filter((id) => !KNOWN.has(id));
  if (unknown.length > 0) throw new RangeError(`no such requirement: ${unknown.join(', ')}`);
  test(`${list.join(', ')}: ${title}`, body, timeoutMs);
}
