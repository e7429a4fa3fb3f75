import jpeg from 'jpeg-js';
import { decodePng } from './decode-png.ts';
import { encodePng } from './encode-png.ts';
import { MOST_PIXELS } from './image-bounds.ts';
import type { Measured } from './measure-image.ts';
import { PictureError } from './picture-error.ts';
import { flattenPixels, type Pixels, turnPixels } from './pixels.ts';

const QUALITY = 82;
/** Of the decoder, for the largest picture that is decoded. MiB. */
const DECODER_MEMORY = 1024;

/** Upright. Throws PictureError. */
export function decodePicture(bytes: Uint8Array, { format, orientation }: Measured): Pixels {
  if (format === 'png') return decodePng(bytes);
  try {
    const limits = { maxResolutionInMP: MOST_PIXELS / 1_000_000, maxMemoryUsageInMB: DECODER_MEMORY };
    const { width, height, data } = jpeg.decode(bytes, { useTArray: true, tolerantDecoding: true, ...limits });
    return turnPixels({ width, height, data }, orientation);
  } catch (error) {
    throw new PictureError('the JPEG cannot be decoded', error);
  }
}

/** In its own format; a PNG over `most` bytes as JPEG. */
export function encodePicture(
  pixels: Pixels,
  format: Measured['format'],
  most: number,
): { mime: string; bytes: Uint8Array } {
  if (format === 'png') {
    const bytes = encodePng(pixels);
    if (bytes.length <= most) return { mime: 'image/png', bytes };
  }
  const { width, height, data } = flattenPixels(pixels);
  return { mime: 'image/jpeg', bytes: Uint8Array.from(jpeg.encode({ width, height, data }, QUALITY).data) };
}
