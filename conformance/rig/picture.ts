import { deflateSync } from 'node:zlib';

function chunk(type: string, body: Buffer): Buffer {
  const whole = Buffer.alloc(body.length + 12);
  whole.writeUInt32BE(body.length, 0);
  whole.write(type, 4, 'latin1');
  whole.set(body, 8);
  // Readers of this program compare no checksums.
  return whole;
}

/** A PNG of one grey, `shade` 0 to 255: the same arguments give the same bytes, another shade other ones. */
export function picture(width: number, height: number, shade: number): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width, shade)]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const start = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');
  return Buffer.concat([
    start,
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Width and height that a PNG in a data URL says it has. */
export function sizeOf(url: string): [width: number, height: number] {
  const bytes = Buffer.from(url.replace(/^data:image\/png;base64,/, ''), 'base64');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}
