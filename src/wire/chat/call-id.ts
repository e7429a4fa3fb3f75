import { createHash } from 'node:crypto';
import type { Quirks } from '../../model/index.ts';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/**
 * A call's id as the server takes it. One that it takes already stays; any other becomes one that only this id becomes,
 * the same each time, so that call and result still belong together.
 */
export function callId(id: string, form: Quirks['call_ids']): string {
  switch (form) {
    case 'any':
      return id;
    case 'word':
      return /^[A-Za-z0-9_-]{1,40}$/.test(id) ? id : `call_${hashOf(id).toString('hex').slice(0, 32)}`;
    case 'nine':
      return /^[A-Za-z0-9]{9}$/.test(id) ? id : Array.from(hashOf(id).subarray(0, 9), letter).join('');
  }
}

function hashOf(id: string): Buffer {
  return createHash('sha256').update(id, 'utf8').digest();
}

function letter(byte: number): string {
  return ALPHABET[byte % ALPHABET.length] ?? 'A';
}
