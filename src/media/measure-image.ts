export type ImageFormat = 'png' | 'jpeg' | 'gif' | 'webp';

/** Pixels as stored; `orientation` is EXIF's: 1 upright, 2 to 8 turned or mirrored. */
export type Measured = { format: ImageFormat; width: number; height: number; orientation: number };

/**
 * Format and size from the first bytes alone, nothing decoded. `broken`: it begins as one of the four and has no size.
 * Null: none of the four.
 */
export function measureImage(bytes: Uint8Array): Measured | 'broken' | null {
  const data = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const format = formatOf(data);
  if (format === null) return null;
  try {
    const size = MEASURES[format](data);
    const sound = size !== null && size.width > 0 && size.height > 0;
    return sound ? { format, orientation: 1, ...size } : 'broken';
  } catch (error) {
    // DataView throws past the end: the file is cut.
    if (error instanceof RangeError) return 'broken';
    throw error;
  }
}

type Size = { width: number; height: number; orientation?: number };

function ascii(data: DataView, at: number, length: number): string {
  let text = '';
  for (let index = at; index < Math.min(at + length, data.byteLength); index += 1) {
    text += String.fromCharCode(data.getUint8(index));
  }
  return text;
}

function formatOf(data: DataView): ImageFormat | null {
  const start = ascii(data, 0, 12);
  if (start.startsWith('\x89PNG\r\n\x1a\n')) return 'png';
  if (start.startsWith('\xff\xd8\xff')) return 'jpeg';
  if (start.startsWith('GIF87a') || start.startsWith('GIF89a')) return 'gif';
  return start.startsWith('RIFF') && start.slice(8) === 'WEBP' ? 'webp' : null;
}

const MEASURES: Readonly<Record<ImageFormat, (data: DataView) => Size | null>> = {
  png: (data) => (ascii(data, 12, 4) === 'IHDR' ? { width: data.getUint32(16), height: data.getUint32(20) } : null),
  gif: (data) => ({ width: data.getUint16(6, true), height: data.getUint16(8, true) }),
  webp: measureWebp,
  jpeg: measureJpeg,
};

function measureWebp(data: DataView): Size | null {
  switch (ascii(data, 12, 4)) {
    case 'VP8 ':
      return { width: data.getUint16(26, true) & 0x3fff, height: data.getUint16(28, true) & 0x3fff };
    case 'VP8L': {
      const bits = data.getUint32(21, true);
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { width: readUint24(data, 24) + 1, height: readUint24(data, 27) + 1 };
    default:
      return null;
  }
}

function readUint24(data: DataView, at: number): number {
  return data.getUint16(at, true) | (data.getUint8(at + 2) << 16);
}

/** Walks the segments to the frame header; each step goes forward, so it ends. */
function measureJpeg(data: DataView): Size | null {
  let orientation = 1;
  for (let at = 2; ; ) {
    if (data.getUint8(at) !== 0xff) return null;
    const marker = data.getUint8(at + 1);
    // Fill bytes, and markers without a length.
    if (marker === 0xff) {
      at += 1;
      continue;
    }
    if (marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)) {
      at += 2;
      continue;
    }
    if (marker === 0xd9 || marker === 0xda) return null;
    const length = data.getUint16(at + 2);
    if (length < 2) return null;
    if (isFrame(marker)) return { width: data.getUint16(at + 7), height: data.getUint16(at + 5), orientation };
    if (marker === 0xe1 && ascii(data, at + 4, 6) === 'Exif\0\0') orientation = readOrientation(data, at + 10);
    at += 2 + length;
  }
}

/** SOF0 to SOF15, without DHT, JPG and DAC, which lie between them. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

/** EXIF tag 0x0112 of the first directory; 1 where there is none, or nothing that can be read. */
function readOrientation(data: DataView, tiff: number): number {
  const order = ascii(data, tiff, 2);
  if (order !== 'II' && order !== 'MM') return 1;
  const little = order === 'II';
  const directory = tiff + data.getUint32(tiff + 4, little);
  if (directory + 2 > data.byteLength) return 1;
  const entries = Math.min(data.getUint16(directory, little), 256);
  for (let index = 0; index < entries; index += 1) {
    const entry = directory + 2 + index * 12;
    if (entry + 12 > data.byteLength) return 1;
    if (data.getUint16(entry, little) !== 0x0112) continue;
    const value = data.getUint16(entry + 8, little);
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}
