const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

function encode(value: number, length: number): string {
  let text = '';
  let rest = value;
  for (let index = 0; index < length; index += 1) {
    text = (ALPHABET[rest % 32] ?? '0') + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

/** A session's id: 10 characters of time (sorts by start), then 10 random ones. `random` needs 10 bytes or more. */
export function makeSessionId(epochMs: number, random: Uint8Array): string {
  const tail = Array.from(random.subarray(0, 10), (byte) => ALPHABET[byte & 31] ?? '0').join('');
  return encode(epochMs, 10) + tail;
}

/** An event's id: 10 random characters, 50 bits; unique within one session file. `random` needs 10 bytes or more. */
export function makeEventId(random: Uint8Array): string {
  return Array.from(random.subarray(0, 10), (byte) => ALPHABET[byte & 31] ?? '0').join('');
}
