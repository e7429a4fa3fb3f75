import type { FittedImage } from '../model/index.ts';
import { LONGEST_SIDE, MOST_BYTES, MOST_PIXELS } from './image-bounds.ts';
import { type Measured, measureImage } from './measure-image.ts';

/** Made smaller this often until its bytes fit too. */
const MAX_STEPS = 5;

/**
 * A picture as it may be sent to any provider: as it is where it keeps the bounds, else decoded, turned upright, made
 * smaller and written again (a JPEG as JPEG; a PNG as PNG where that is small enough, else as JPEG on white). A GIF or
 * WebP over the bounds cannot be decoded here. The decoders are loaded for what is over the bounds alone.
 */
export async function fitImage(bytes: Uint8Array): Promise<FittedImage> {
  const measured = measureImage(bytes);
  if (measured === null) return refuse('not-a-picture', 'it is no PNG, JPEG, GIF or WebP');
  if (measured === 'broken') return refuse('broken', 'its header is damaged');
  const { format, width, height } = measured;
  if (Math.max(width, height) <= LONGEST_SIDE && bytes.length <= MOST_BYTES) {
    return { fits: true, mime: `image/${format}`, bytes, width, height, was: null };
  }
  if (format !== 'png' && format !== 'jpeg') {
    const limit = `over the limit of ${LONGEST_SIDE} pixels a side and ${MOST_BYTES} bytes`;
    return tooLarge(measured, bytes, `${limit}, and a ${format === 'gif' ? 'GIF' : 'WebP'} is not made smaller here`);
  }
  if (width * height > MOST_PIXELS) {
    return tooLarge(measured, bytes, `over the ${MOST_PIXELS} pixels that are decoded`);
  }
  return shrink(bytes, measured);
}

async function shrink(bytes: Uint8Array, measured: Measured): Promise<FittedImage> {
  const { decodePicture, encodePicture } = await import('./recode.ts');
  const { PictureError } = await import('./picture-error.ts');
  const { shrinkPixels } = await import('./pixels.ts');
  try {
    const source = decodePicture(bytes, measured);
    let side = Math.min(LONGEST_SIDE, Math.max(source.width, source.height));
    for (let step = 0; step < MAX_STEPS; step += 1) {
      const scale = side / Math.max(source.width, source.height);
      const width = Math.max(1, Math.round(source.width * scale));
      const height = Math.max(1, Math.round(source.height * scale));
      const pixels = scale >= 1 ? source : shrinkPixels(source, width, height);
      const { mime, bytes: written } = encodePicture(pixels, measured.format, MOST_BYTES);
      if (written.length <= MOST_BYTES) {
        const was = { width: measured.width, height: measured.height, bytes: bytes.length };
        return { fits: true, mime, bytes: written, width: pixels.width, height: pixels.height, was };
      }
      side = Math.floor(side * 0.75);
    }
    return tooLarge(measured, bytes, `over ${MOST_BYTES} bytes however small it was made`);
  } catch (error) {
    if (error instanceof PictureError) return refuse('broken', error.message);
    throw error;
  }
}

function tooLarge({ width, height }: Measured, bytes: Uint8Array, limit: string): FittedImage {
  return refuse('too-large', `${width}×${height} pixels, ${bytes.length} bytes, ${limit}`);
}

function refuse(fault: Extract<FittedImage, { fits: false }>['fault'], why: string): FittedImage {
  return { fits: false, fault, why };
}
