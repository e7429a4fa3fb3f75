import { randomBytes } from 'node:crypto';
import type { RandomPort } from '../index.ts';

export function createNodeRandom(): RandomPort {
  return { bytes: (length) => randomBytes(length) };
}
