import { inflateSync } from 'node:zlib';
import { PictureError } from './picture-error.ts';
import type { Pixels } from './pixels.ts';

type Header = { width: number; height: number; depth: number; color: number; interlaced: boolean };
type Palette = { colors: Uint8Array; alphas: Uint8Array };
type Chunks = { header: Header; palette: Palette; transparent: readonly number[] | null; packed: Uint8Array };

/** Samples a pixel by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const DEPTHS: Readonly<Record<number, readonly number[]>> = {
  0: [1, 2, 4, 8, 16],
  2: [8, 16],
  3: [1, 2, 4, 8],
  4: [8, 16],
  6: [8, 16],
};

/** Adam7: first column, first row, and the distances between columns and rows. */
const PASSES: readonly (readonly [x: number, y: number, dx: number, dy: number])[] = [
  [0, 0, 8, 8],
  [4, 0, 8, 8],
  [0, 4, 4, 8],
  [2, 0, 4, 4],
  [0, 2, 2, 4],
  [1, 0, 2, 2],
  [0, 1, 1, 2],
];

/**
 * A PNG of any kind (ISO/IEC 15948) as pixels; 16-bit samples lose their lower half, checksums are not compared. Never
 * inflates more than the header's size needs. Throws PictureError.
 */
export function decodePng(bytes: Uint8Array): Pixels {
  const { header, palette, transparent, packed } = readChunks(bytes);
  const { width, height } = header;
  const whole: readonly (readonly [number, number, number, number])[] = [[0, 0, 1, 1]];
  const passes = (header.interlaced ? PASSES : whole).map(([x, y, dx, dy]) => ({
    x,
    y,
    dx,
    dy,
    width: Math.ceil((width - x) / dx),
    height: Math.ceil((height - y) / dy),
  }));
  const bits = (CHANNELS[header.color] ?? 1) * header.depth;
  const rowBytes = (columns: number): number => Math.ceil((columns * bits) / 8);
  const size = passes.reduce((sum, pass) => sum + (pass.width > 0 ? pass.height * (rowBytes(pass.width) + 1) : 0), 0);
  const raw = inflate(packed, size);
  const data = new Uint8Array(width * height * 4);
  const put = pixelWriter(header, palette, transparent, data);
  let at = 0;
  for (const pass of passes) {
    if (pass.width <= 0) continue;
    const stride = rowBytes(pass.width);
    let above: Uint8Array = new Uint8Array(stride);
    for (let row = 0; row < pass.height; row += 1) {
      const line = raw.subarray(at + 1, at + 1 + stride);
      unfilter(raw[at] ?? 0, line, above, Math.max(1, bits >> 3));
      const start = (pass.y + row * pass.dy) * width + pass.x;
      for (let column = 0; column < pass.width; column += 1) put(line, column, (start + column * pass.dx) * 4);
      above = line;
      at += stride + 1;
    }
  }
  return { width, height, data };
}

function readChunks(bytes: Uint8Array): Chunks {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const parts: Uint8Array[] = [];
  let header: Header | null = null;
  let colors = new Uint8Array();
  let transparency = new Uint8Array();
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = view.getUint32(at);
    const type = String.fromCharCode(...bytes.subarray(at + 4, at + 8));
    const body = bytes.subarray(at + 8, at + 8 + length);
    if (body.length < length) throw new PictureError('the PNG ends in its middle');
    if (type === 'IHDR') header = readHeader(body);
    else if (type === 'PLTE') colors = Uint8Array.from(body);
    else if (type === 'tRNS') transparency = Uint8Array.from(body);
    else if (type === 'IDAT') parts.push(body);
    else if (type === 'IEND') break;
    at += 12 + length;
  }
  if (header === null || parts.length === 0) throw new PictureError('the PNG has no picture in it');
  const keyed = (header.color === 0 && transparency.length >= 2) || (header.color === 2 && transparency.length >= 6);
  const keys = Array.from({ length: CHANNELS[header.color] ?? 1 }, (_, channel) => key(transparency, channel));
  return {
    header,
    palette: { colors, alphas: header.color === 3 ? transparency : new Uint8Array() },
    transparent: keyed ? keys : null,
    packed: parts.length === 1 && parts[0] !== undefined ? parts[0] : Buffer.concat(parts),
  };
}

function key(transparency: Uint8Array, channel: number): number {
  return ((transparency[channel * 2] ?? 0) << 8) | (transparency[channel * 2 + 1] ?? 0);
}

function readHeader(body: Uint8Array): Header {
  const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
  if (body.length < 13) throw new PictureError('the PNG’s header is cut');
  const [depth = 0, color = 0, , , interlace] = body.subarray(8);
  if (DEPTHS[color]?.includes(depth) !== true) throw new PictureError(`a PNG of type ${color} with ${depth} bits`);
  return { width: view.getUint32(0), height: view.getUint32(4), depth, color, interlaced: interlace === 1 };
}

function inflate(packed: Uint8Array, size: number): Uint8Array {
  let raw: Uint8Array;
  try {
    raw = inflateSync(packed, { maxOutputLength: Math.max(1, size) });
  } catch (error) {
    throw new PictureError('the PNG’s data cannot be unpacked', error);
  }
  if (raw.length < size) throw new PictureError('the PNG ends in its middle');
  return raw;
}

/** Undoes a row's filter in place. `step`: bytes a pixel, at least one. */
function unfilter(filter: number, line: Uint8Array, above: Uint8Array, step: number): void {
  for (let at = 0; at < line.length; at += 1) {
    const left = at >= step ? (line[at - step] ?? 0) : 0;
    const up = above[at] ?? 0;
    const value = line[at] ?? 0;
    if (filter === 1) line[at] = value + left;
    else if (filter === 2) line[at] = value + up;
    else if (filter === 3) line[at] = value + ((left + up) >> 1);
    else if (filter === 4) line[at] = value + paeth(left, up, at >= step ? (above[at - step] ?? 0) : 0);
  }
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [Math.abs(guess - left), Math.abs(guess - up), Math.abs(guess - corner)];
  if (toLeft <= toUp && toLeft <= toCorner) return left;
  return toUp <= toCorner ? up : corner;
}

type PutPixel = (line: Uint8Array, column: number, to: number) => void;

function pixelWriter(
  { color, depth }: Header,
  { colors, alphas }: Palette,
  transparent: readonly number[] | null,
  data: Uint8Array,
): PutPixel {
  const channels = CHANNELS[color] ?? 1;
  const most = 2 ** depth - 1;
  const sample = (line: Uint8Array, index: number): number => {
    if (depth === 8) return line[index] ?? 0;
    if (depth === 16) return ((line[index * 2] ?? 0) << 8) | (line[index * 2 + 1] ?? 0);
    const bit = index * depth;
    return ((line[bit >> 3] ?? 0) >> (8 - depth - (bit & 7))) & most;
  };
  const toByte = (value: number): number =>
    depth === 8 ? value : depth === 16 ? value >> 8 : Math.round((value * 255) / most);
  if (color === 3) {
    return (line, column, to) => {
      const entry = sample(line, column);
      data[to] = colors[entry * 3] ?? 0;
      data[to + 1] = colors[entry * 3 + 1] ?? 0;
      data[to + 2] = colors[entry * 3 + 2] ?? 0;
      data[to + 3] = alphas[entry] ?? 255;
    };
  }
  const grey = channels < 3;
  const withAlpha = channels === 2 || channels === 4;
  return (line, column, to) => {
    const first = column * channels;
    const red = sample(line, first);
    const green = grey ? red : sample(line, first + 1);
    const blue = grey ? red : sample(line, first + 2);
    data[to] = toByte(red);
    data[to + 1] = toByte(green);
    data[to + 2] = toByte(blue);
    if (withAlpha) data[to + 3] = toByte(sample(line, first + channels - 1));
    else data[to + 3] = isKey(transparent, red, green, blue, grey) ? 0 : 255;
  };
}

function isKey(keys: readonly number[] | null, red: number, green: number, blue: number, grey: boolean): boolean {
  if (keys === null || keys[0] !== red) return false;
  return grey || (keys[1] === green && keys[2] === blue);
}
