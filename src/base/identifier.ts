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

/** The first ten bytes, five bits of each. */
function encodeRandom(random: Uint8Array): string {
  let text = '';
  for (let index = 0; index < 10; index += 1) text += ALPHABET[(random[index] ?? 0) & 31] ?? '0';
  return text;
}

/** A session's id: 10 characters of time (sorts by start), then 10 random ones. `random` needs 10 bytes or more. */
export function makeSessionId(epochMs: number, random: Uint8Array): string {
  return encode(epochMs, 10) + encodeRandom(random);
}

/** An event's id: 10 random characters, 50 bits; unique within one session file. `random` needs 10 bytes or more. */
export function makeEventId(random: Uint8Array): string {
  return encodeRandom(random);
}
