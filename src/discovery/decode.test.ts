import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decode, wholeCharacters } from './decode.ts';

function utf16(text: string, order: 'le' | 'be'): Uint8Array {
  const bytes = Buffer.from(`\ufeff${text}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
}

test.each([
  ['plain UTF-8', Buffer.from('RULE-16 é'), 'utf-8'],
  ['UTF-8 with a byte order mark', Buffer.from('\ufeffRULE-16 é'), 'utf-8-bom'],
  ['UTF-16LE, as PowerShell writes it', utf16('RULE-16 é', 'le'), 'utf-16le'],
  ['UTF-16BE', utf16('RULE-16 é', 'be'), 'utf-16be'],
])('%s is decoded and its mark removed', (_name, bytes, encoding) => {
  expect(decode(bytes, 'sniff')).toEqual({ text: 'RULE-16 é', encoding, firstInvalidByte: null });
});

test('an invalid byte becomes U+FFFD and its offset is told', () => {
  const bytes = Buffer.from([0x61, 0xc3, 0x28, 0x62]);
  expect(decode(bytes, 'sniff')).toEqual({ text: 'a\ufffd(b', encoding: 'utf-8', firstInvalidByte: 1 });
});

test('the offset of an invalid byte counts the byte order mark', () => {
  const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x61, 0xff]);
  expect(decode(bytes, 'sniff')).toEqual({ text: 'a\ufffd', encoding: 'utf-8-bom', firstInvalidByte: 4 });
});

test('half a surrogate pair and an odd last byte of UTF-16 become U+FFFD', () => {
  expect(decode(Buffer.from([0xff, 0xfe, 0x00, 0xd8, 0x61, 0x00, 0x62]), 'sniff')).toEqual({
    text: '\ufffda\ufffd',
    encoding: 'utf-16le',
    firstInvalidByte: 2,
  });
});

test('strictly, what is not UTF-8 has no text', () => {
  expect([
    decode(Buffer.from([0x61, 0xff]), 'strict'),
    decode(utf16('a', 'le'), 'strict'),
    decode(Buffer.from('\ufeffa'), 'strict'),
  ]).toEqual([null, null, { text: 'a', encoding: 'utf-8-bom', firstInvalidByte: null }]);
});

test('an empty file is empty text', () => {
  expect(decode(new Uint8Array(0), 'strict')).toEqual({ text: '', encoding: 'utf-8', firstInvalidByte: null });
});

const fullText = fc.string({ unit: 'binary' });

test('any text comes back from each encoding', () => {
  fc.assert(
    fc.property(fullText, (text) => {
      fc.pre(!text.startsWith('\ufeff'));
      const texts = [Buffer.from(text), Buffer.from(`\ufeff${text}`), utf16(text, 'le'), utf16(text, 'be')].map(
        (bytes) => decode(bytes, 'sniff'),
      );
      expect(texts.map((decoded) => [decoded?.text, decoded?.firstInvalidByte])).toEqual(Array(4).fill([text, null]));
    }),
  );
});

test('of any bytes, those before the told offset are valid and no character of UTF-8 begins at it', () => {
  const mostlyText = fc.array(fc.oneof(fc.constantFrom(0x61, 0xc3, 0xa9, 0xe2, 0x82, 0xac, 0xf0, 0xed), fc.nat(255)));
  fc.assert(
    fc.property(mostlyText, (list) => {
      const bytes = Uint8Array.from(list);
      fc.pre(!(bytes[0] === 0xff && bytes[1] === 0xfe) && !(bytes[0] === 0xfe && bytes[1] === 0xff));
      const at = decode(bytes, 'sniff')?.firstInvalidByte ?? bytes.length;
      expect(decode(bytes.subarray(0, at), 'strict')).not.toBeNull();
      const starts = [1, 2, 3, 4].filter((length) => at + length <= bytes.length);
      expect(starts.map((length) => decode(bytes.subarray(at, at + length), 'strict'))).toEqual(starts.map(() => null));
    }),
    { numRuns: 500 },
  );
});

test('the head of a file ends before a character that it holds only in part', () => {
  fc.assert(
    fc.property(fullText, fc.nat(), fc.constantFrom('utf8', 'le', 'be'), (text, cut, form) => {
      fc.pre(!text.startsWith('\ufeff'));
      const bytes = form === 'utf8' ? Buffer.from(text) : utf16(text, form as 'le' | 'be');
      const limit = form === 'utf8' ? cut % (bytes.length + 1) : 2 + (cut % (bytes.length - 1));
      const head = wholeCharacters(bytes.subarray(0, limit));
      const decoded = decode(head, 'sniff');
      expect(decoded?.firstInvalidByte).toBeNull();
      expect(text.startsWith(decoded?.text ?? '?')).toBe(true);
      expect(limit - head.length).toBeLessThan(4);
    }),
  );
});
