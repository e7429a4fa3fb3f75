import { deflateSync } from 'node:zlib';
import { crc32 } from './crc32.ts';
import type { Pixels } from './pixels.ts';

const SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

/** A PNG of 8 bits a channel, without alpha where nothing is transparent. Rows are filtered by what is above them. */
export function encodePng({ width, height, data }: Pixels): Uint8Array {
  const opaque = isOpaque(data);
  const step = opaque ? 3 : 4;
  const stride = width * step;
  const raw = new Uint8Array(height * (stride + 1));
  for (let row = 0; row < height; row += 1) {
    const start = row * (stride + 1);
    raw[start] = row === 0 ? 0 : 2;
    for (let column = 0; column < width; column += 1) {
      const from = (row * width + column) * 4;
      for (let channel = 0; channel < step; channel += 1) {
        const above = row === 0 ? 0 : (data[from - width * 4 + channel] ?? 0);
        raw[start + 1 + column * step + channel] = (data[from + channel] ?? 0) - above;
      }
    }
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, opaque ? 2 : 6, 0, 0, 0], 8);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(raw, { level: 6 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function isOpaque(data: Uint8Array): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

function chunk(type: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), body]);
  const whole = Buffer.alloc(named.length + 8);
  whole.writeUInt32BE(body.length, 0);
  whole.set(named, 4);
  whole.writeUInt32BE(crc32(named), named.length + 4);
  return whole;
}
