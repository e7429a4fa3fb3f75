import { type Encoding, sniffEncoding } from './text-form.ts';

/**
 * A file as a string that gives back every byte: of UTF-8 (and of what is not quite UTF-8) one unit for each byte, of
 * UTF-16 one for each code unit. So an edit can work on text while bytes that are none survive around it.
 */
export type UnitText = {
  text: string;
  /** Text of the model in the same form. */
  encode(text: string): string;
  toBytes(text: string): Uint8Array;
};

export function toUnitText(bytes: Uint8Array): UnitText {
  const encoding = sniffEncoding(bytes);
  return isWide(encoding) ? wide(bytes, encoding === 'utf-16be') : narrow(bytes);
}

function isWide(encoding: Encoding): boolean {
  return encoding === 'utf-16le' || encoding === 'utf-16be';
}

function narrow(bytes: Uint8Array): UnitText {
  return {
    text: Buffer.from(bytes).toString('latin1'),
    encode: (text) => Buffer.from(text, 'utf8').toString('latin1'),
    toBytes: (text) => Buffer.from(text, 'latin1'),
  };
}

// An odd last byte is no code unit; it is put back as it was.
function wide(bytes: Uint8Array, bigEndian: boolean): UnitText {
  const even = bytes.length - (bytes.length % 2);
  const units = Buffer.from(bytes.subarray(0, even));
  const rest = bytes.subarray(even);
  return {
    text: (bigEndian ? units.swap16() : units).toString('utf16le'),
    encode: (text) => text,
    toBytes(text) {
      const written = Buffer.from(text, 'utf16le');
      return Buffer.concat([bigEndian ? written.swap16() : written, rest]);
    },
  };
}
