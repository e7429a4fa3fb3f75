import { deflateSync } from 'node:zlib';
import fc from 'fast-check';
import jpeg from 'jpeg-js';
import { describe, expect, test } from 'vitest';
import { decodePng } from './decode-png.ts';
import { encodePng } from './encode-png.ts';
import { fitImage } from './fit-image.ts';
import { type Pixels, shrinkPixels, turnPixels } from './pixels.ts';

function plain(width: number, height: number, color: readonly number[]): Pixels {
  const data = new Uint8Array(width * height * 4);
  for (let at = 0; at < data.length; at += 1) data[at] = color[at % 4] ?? 0;
  return { width, height, data };
}

function chunk(type: string, body: readonly number[] | Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length);
  return Buffer.concat([length, Buffer.from(type), Buffer.from(body), Buffer.alloc(4)]);
}

/** A PNG by hand: rows with their filter bytes. */
function png(header: readonly number[], rows: readonly number[], ...more: Buffer[]): Buffer {
  const [width = 0, height = 0, depth = 8, color = 2, interlace = 0] = header;
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  const head = chunk('IHDR', [0, 0, 0, width, 0, 0, 0, height, depth, color, 0, 0, interlace]);
  return Buffer.concat([start, head, ...more, chunk('IDAT', deflateSync(Buffer.from(rows))), chunk('IEND', [])]);
}

function hex({ data }: Pixels): string[] {
  return Buffer.from(data).toString('hex').match(/.{8}/g) ?? [];
}

describe('a PNG is decoded', () => {
  test.each<[string, Buffer, string[]]>([
    [
      'of 1 bit grey',
      png([9, 1, 1, 0], [0, 0b10101010, 0b10000000]),
      [...'ffffff,000000,ffffff,000000,ffffff,000000,ffffff,000000,ffffff'.split(',').map((rgb) => `${rgb}ff`)],
    ],
    [
      'of 4 bits grey with a transparent value',
      png([2, 1, 4, 0], [0, 0x5f], chunk('tRNS', [0, 5])),
      ['55555500', 'ffffffff'],
    ],
    ['of 16 bits grey with alpha', png([1, 1, 16, 4], [0, 0x12, 0x34, 0x80, 0]), ['12121280']],
    [
      'with a palette',
      png([2, 1, 2, 3], [0, 0b01000000], chunk('PLTE', [1, 2, 3, 4, 5, 6]), chunk('tRNS', [9])),
      ['040506ff', '01020309'],
    ],
    [
      'with every filter',
      png(
        [2, 5, 8, 2],
        [0, 10, 20, 30, 40, 50, 60, 1, 1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1, 1, 1, 4, 1, 1, 1, 1, 1, 1],
      ),
      [
        '0a141eff',
        '28323cff',
        '010101ff',
        '020202ff',
        '020202ff',
        '030303ff',
        '020202ff',
        '030303ff',
        '030303ff',
        '040404ff',
      ],
    ],
    [
      'that is interlaced',
      png([2, 2, 8, 0, 1], [0, 1, 0, 2, 0, 3, 4]),
      ['010101ff', '020202ff', '030303ff', '040404ff'],
    ],
  ])('%s', (_title, bytes, pixels) => {
    expect(hex(decodePng(bytes))).toEqual(pixels);
  });

  test.each<[string, Buffer]>([
    ['whose data is no deflate stream', png([1, 1, 8, 2], []).fill(0xee, 41, 49)],
    ['with fewer rows than it says', png([1, 9, 8, 2], [0, 1, 2, 3])],
    [
      'with more data than its size needs',
      png(
        [1, 1, 8, 2],
        Array.from({ length: 5000 }, () => 0),
      ),
    ],
    ['of a depth that there is not', png([1, 1, 7, 2], [0, 1, 2, 3])],
  ])('but not one %s', (_title, bytes) => {
    expect(() => decodePng(bytes)).toThrow(expect.objectContaining({ code: 'media/broken' }));
  });

  test('back to the pixels that were encoded', () => {
    const sides = fc.integer({ min: 1, max: 9 });
    fc.assert(
      fc.property(
        sides,
        sides,
        fc.boolean(),
        fc.uint8Array({ minLength: 324, maxLength: 324 }),
        (width, height, opaque, bytes) => {
          const data = bytes.slice(0, width * height * 4);
          if (opaque) for (let at = 3; at < data.length; at += 4) data[at] = 255;
          const pixels = { width, height, data };
          expect(decodePng(encodePng(pixels))).toEqual(pixels);
        },
      ),
    );
  });
});

describe('pixels', () => {
  test('that are transparent do not colour their neighbours', () => {
    const source = { width: 2, height: 1, data: Uint8Array.of(200, 0, 0, 255, 0, 99, 0, 0) };
    expect(shrinkPixels(source, 1, 1)).toEqual({ width: 1, height: 1, data: Uint8Array.of(200, 0, 0, 128) });
  });

  test('are turned as their orientation says', () => {
    // 1 2 3 over 4 5 6.
    const source = {
      width: 3,
      height: 2,
      data: Uint8Array.from([1, 2, 3, 4, 5, 6].flatMap((value) => [value, 0, 0, 255])),
    };
    const turned = [1, 2, 3, 4, 5, 6, 7, 8].map((orientation) => {
      const { width, data } = turnPixels(source, orientation);
      const values = Array.from({ length: 6 }, (_, index) => data[index * 4] ?? 0);
      return Array.from({ length: 6 / width }, (_, row) => values.slice(row * width, (row + 1) * width).join('')).join(
        ' ',
      );
    });
    expect(turned).toEqual([
      '123 456',
      '321 654',
      '654 321',
      '456 123',
      '14 25 36',
      '41 52 63',
      '63 52 41',
      '36 25 14',
    ]);
  });
});

describe('a picture', () => {
  test('within the bounds is sent as it is', async () => {
    const bytes = encodePng(plain(2000, 3, [1, 2, 3, 255]));
    expect(await fitImage(bytes)).toEqual({ fits: true, mime: 'image/png', bytes, width: 2000, height: 3, was: null });
  });

  test('with a side over the bound is made smaller in its own format', async () => {
    const wide = encodePng(plain(2400, 12, [9, 8, 7, 255]));
    const fitted = await fitImage(wide);
    const tall = Uint8Array.from(jpeg.encode({ ...plain(8, 4000, [200, 100, 50, 255]) }, 80).data);
    const { bytes: _bytes, ...jpegFacts } = { bytes: null, ...(await fitImage(tall)) };
    expect(fitted).toEqual({
      fits: true,
      mime: 'image/png',
      bytes: encodePng(plain(2000, 10, [9, 8, 7, 255])),
      width: 2000,
      height: 10,
      was: { width: 2400, height: 12, bytes: wide.length },
    });
    expect(jpegFacts).toEqual({
      fits: true,
      mime: 'image/jpeg',
      width: 4,
      height: 2000,
      was: { width: 8, height: 4000, bytes: tall.length },
    });
  });

  test('of too many bytes is written again until it fits', async () => {
    const pixels = plain(1400, 1000, [0, 0, 0, 255]);
    let seed = 1;
    for (let at = 0; at < pixels.data.length; at += 1) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0;
      if (at % 4 < 3) pixels.data[at] = seed >>> 16;
    }
    const { bytes, ...facts } = { bytes: new Uint8Array(), ...(await fitImage(encodePng(pixels))) };
    expect({ ...facts, small: bytes.length < 4_000_000 }).toMatchObject({
      fits: true,
      mime: 'image/jpeg',
      width: 1400,
      small: true,
    });
  });

  test.each<[string, Uint8Array, unknown]>([
    ['text', Buffer.from('hello'), { fits: false, fault: 'not-a-picture', why: 'it is no PNG, JPEG, GIF or WebP' }],
    [
      'a cut PNG',
      encodePng(plain(2, 2, [0, 0, 0, 255])).subarray(0, 18),
      { fits: false, fault: 'broken', why: 'its header is damaged' },
    ],
    [
      'a large PNG whose data is cut',
      encodePng(plain(2100, 2, [0, 0, 0, 255])).subarray(0, 50),
      { fits: false, fault: 'broken', why: 'the PNG ends in its middle' },
    ],
    [
      'a large GIF',
      Buffer.from('GIF89a\xb8\x0b\x01\x00', 'latin1'),
      {
        fits: false,
        fault: 'too-large',
        why: '3000×1 pixels, 10 bytes, over the limit of 2000 pixels a side and 3932160 bytes, and a GIF is not made smaller here',
      },
    ],
    [
      'a PNG that says it is huge',
      Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\xff\xff\0\0\xff\xff\x08\x06\0\0\0', 'latin1'),
      {
        fits: false,
        fault: 'too-large',
        why: '65535×65535 pixels, 29 bytes, over the 40000000 pixels that are decoded',
      },
    ],
  ])('is refused with a reason: %s', async (_title, bytes, refusal) => {
    expect(await fitImage(bytes)).toEqual(refusal);
  });
});
