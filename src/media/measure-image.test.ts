import fc from 'fast-check';
import { expect, test } from 'vitest';
import { measureImage } from './measure-image.ts';

function bytes(...parts: (string | number[])[]): Uint8Array {
  return Buffer.concat(
    parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  );
}

const PNG = bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', [0, 0, 4, 1], [0, 0, 2, 3], [8, 6, 0, 0, 0]);
const SOF = [0xff, 0xc2, 0, 11, 8, 2, 3, 4, 1, 1, 0, 0, 0];
const EXIF_BIG = bytes('\xff\xe1\0\x22Exif\0\0MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0');
const EXIF_LITTLE = bytes('\xff\xe1\0\x22Exif\0\0II\x2a\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0\x08\0\0\0\0\0\0\0');
const HOSTILE_EXIF = bytes('\xff\xe1\0\x16Exif\0\0II\x2a\0\xff\xff\xff\x7f\0\0\0\0\0\0');

test.each<[string, Uint8Array, unknown]>([
  ['a PNG', PNG, { format: 'png', width: 1025, height: 515, orientation: 1 }],
  ['a GIF', bytes('GIF89a', [1, 4, 3, 2]), { format: 'gif', width: 1025, height: 515, orientation: 1 }],
  [
    'a lossy WebP',
    bytes('RIFF\0\0\0\0WEBPVP8 ', [0, 0, 0, 0, 0, 0, 0, 0x9d, 1, 0x2a], [1, 0x44, 3, 2]),
    { format: 'webp', width: 1025, height: 515, orientation: 1 },
  ],
  [
    'a lossless WebP',
    bytes('RIFF\0\0\0\0WEBPVP8L', [0, 0, 0, 0, 0x2f], [0x00, 0x84, 0x80, 0x00]),
    { format: 'webp', width: 1025, height: 515, orientation: 1 },
  ],
  [
    'an extended WebP',
    bytes('RIFF\0\0\0\0WEBPVP8X', [0, 0, 0, 0, 0, 0, 0, 0], [0, 4, 0], [2, 2, 0]),
    { format: 'webp', width: 1025, height: 515, orientation: 1 },
  ],
  [
    'a JPEG with segments, fill bytes and a progressive frame',
    bytes([0xff, 0xd8, 0xff, 0xe0, 0, 4, 0, 0, 0xff], SOF),
    { format: 'jpeg', width: 1025, height: 515, orientation: 1 },
  ],
  [
    'a turned JPEG',
    bytes([0xff, 0xd8], [...EXIF_BIG], SOF),
    { format: 'jpeg', width: 1025, height: 515, orientation: 6 },
  ],
  [
    'a turned JPEG of the other byte order',
    bytes([0xff, 0xd8], [...EXIF_LITTLE], SOF),
    { format: 'jpeg', width: 1025, height: 515, orientation: 8 },
  ],
  [
    'a JPEG whose EXIF points outside',
    bytes([0xff, 0xd8], [...HOSTILE_EXIF], SOF),
    { format: 'jpeg', width: 1025, height: 515, orientation: 1 },
  ],
  ['a PNG that is cut', PNG.subarray(0, 20), 'broken'],
  ['a PNG of no size', bytes('\x89PNG\r\n\x1a\n\0\0\0\rIHDR', [0, 0, 0, 0, 0, 0, 0, 1]), 'broken'],
  ['a JPEG without a frame', bytes([0xff, 0xd8, 0xff, 0xda, 0, 2]), 'broken'],
  ['a JPEG with a segment that goes nowhere', bytes([0xff, 0xd8, 0xff, 0xe0, 0, 0]), 'broken'],
  ['text', bytes('<svg>'), null],
  ['nothing', bytes(), null],
])('%s is measured from its first bytes', (_title, data, measured) => {
  expect(measureImage(data)).toEqual(measured);
});

test('any bytes after any beginning are measured or refused, never an exception', () => {
  const starts = ['\x89PNG\r\n\x1a\n', '\xff\xd8\xff', 'GIF89a', 'RIFF\0\0\0\0WEBPVP8X', ''];
  fc.assert(
    fc.property(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 80 }), (start, rest) => {
      const measured = measureImage(bytes(start, [...rest]));
      if (measured !== null && measured !== 'broken') expect(measured.width * measured.height).toBeGreaterThan(0);
    }),
  );
});
