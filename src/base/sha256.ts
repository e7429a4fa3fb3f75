import { hash } from 'node:crypto';

/** Lower-case hex of SHA-256 over the bytes, or over the UTF-8 form of a string. */
export function sha256(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
