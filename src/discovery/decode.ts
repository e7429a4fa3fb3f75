import { isUtf8 } from 'node:buffer';

/** `strict`: only UTF-8, with or without its byte order mark. `sniff`: the byte order mark decides. */
export type DecodeMode = 'sniff' | 'strict';

export type Encoding = 'utf-8' | 'utf-8-bom' | 'utf-16le' | 'utf-16be';

export type Decoded = {
  /** Without a byte order mark; what could not be decoded is U+FFFD. */
  text: string;
  encoding: Encoding;
  /** Where the first byte stands that is not of the encoding; null: all are. */
  firstInvalidByte: number | null;
};

/** Text of a file's bytes. Null: `strict`, and the bytes are not UTF-8. */
export function decode(bytes: Uint8Array, mode: DecodeMode): Decoded | null {
  if (mode === 'sniff' && bytes[0] === 0xff && bytes[1] === 0xfe) return decodeUtf16(bytes, 'utf-16le');
  if (mode === 'sniff' && bytes[0] === 0xfe && bytes[1] === 0xff) return decodeUtf16(bytes, 'utf-16be');
  const marked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const firstInvalidByte = isUtf8(bytes) ? null : firstInvalidUtf8(bytes);
  if (mode === 'strict' && firstInvalidByte !== null) return null;
  const text = new TextDecoder('utf-8').decode(bytes);
  return { text, encoding: marked ? 'utf-8-bom' : 'utf-8', firstInvalidByte };
}

/** The bytes without a last character that they hold only in part: for the head of a file. */
export function wholeCharacters(bytes: Uint8Array): Uint8Array {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return wholeUnits(bytes, 1);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return wholeUnits(bytes, 0);
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

function wholeUnits(bytes: Uint8Array, high: 0 | 1): Uint8Array {
  const even = bytes.length - (bytes.length % 2);
  const endsInHighSurrogate = even > 2 && ((bytes[even - 2 + high] ?? 0) & 0xfc) === 0xd8;
  return bytes.subarray(0, endsInHighSurrogate ? even - 2 : even);
}

function decodeUtf16(bytes: Uint8Array, encoding: 'utf-16le' | 'utf-16be'): Decoded {
  const low = encoding === 'utf-16le' ? 0 : 1;
  const units = new Uint16Array((bytes.length - 2) >> 1);
  for (let index = 0; index < units.length; index += 1) {
    const at = 2 + index * 2;
    units[index] = (bytes[at + low] ?? 0) | ((bytes[at + 1 - low] ?? 0) << 8);
  }
  const odd = bytes.length % 2 === 1;
  const lone = firstLoneSurrogate(units);
  const text = Buffer.from(units.buffer).toString('utf16le').toWellFormed() + (odd ? '\ufffd' : '');
  const firstInvalidByte = lone !== null ? 2 + lone * 2 : odd ? bytes.length - 1 : null;
  return { text, encoding, firstInvalidByte };
}

function firstLoneSurrogate(units: Uint16Array): number | null {
  for (let index = 0; index < units.length; index += 1) {
    const unit = units[index] ?? 0;
    if (unit < 0xd800 || unit > 0xdfff) continue;
    const next = units[index + 1] ?? 0;
    if (unit > 0xdbff || next < 0xdc00 || next > 0xdfff) return index;
    index += 1;
  }
  return null;
}

/** The offset of the first byte that begins no well-formed sequence (Unicode 16, table 3-7), or null. */
function firstInvalidUtf8(bytes: Uint8Array): number | null {
  for (let at = 0; at < bytes.length; ) {
    const length = sequenceLength(bytes, at);
    if (length === 0) return at;
    at += length;
  }
  return null;
}

function sequenceLength(bytes: Uint8Array, at: number): number {
  const lead = bytes[at] ?? 0;
  if (lead < 0x80) return 1;
  const length =
    lead >= 0xc2 && lead <= 0xdf ? 2 : lead >= 0xe0 && lead <= 0xef ? 3 : lead >= 0xf0 && lead <= 0xf4 ? 4 : 0;
  if (length === 0) return 0;
  // Overlong forms, surrogates and what lies above U+10FFFF are told by the second byte.
  const lowest = lead === 0xe0 ? 0xa0 : lead === 0xf0 ? 0x90 : 0x80;
  const highest = lead === 0xed ? 0x9f : lead === 0xf4 ? 0x8f : 0xbf;
  const second = bytes[at + 1] ?? 0;
  if (second < lowest || second > highest) return 0;
  for (let index = 2; index < length; index += 1) {
    if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}
