import type { FittedImage, MediaPart } from '../model/index.ts';
import type { AgentParts } from './parts.ts';

export type TakenImage =
  | { part: MediaPart; fitted: Extract<FittedImage, { fits: true }> }
  | { refused: Extract<FittedImage, { fits: false }> };

/** Makes a picture fit to be sent and keeps it with the session. Throws as appending to the log does. */
export async function takeImage(parts: Pick<AgentParts, 'fitImage' | 'log'>, bytes: Uint8Array): Promise<TakenImage> {
  const fitted = await parts.fitImage(bytes);
  if (!fitted.fits) return { refused: fitted };
  const sha256 = parts.log.storeMedia(fitted.mime, Buffer.from(fitted.bytes).toString('base64'));
  return { part: { type: 'media', sha256, mime: fitted.mime }, fitted };
}
