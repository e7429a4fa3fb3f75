import type { TakenImage } from '../model/index.ts';
import type { AgentParts } from './parts.ts';

/** Makes a picture fit to be sent and keeps it with the session. Throws as appending to the log does. */
export async function takeImage(parts: Pick<AgentParts, 'fitImage' | 'log'>, bytes: Uint8Array): Promise<TakenImage> {
  const fitted = await parts.fitImage(bytes);
  if (!fitted.fits) return { taken: false, fault: fitted.fault, why: fitted.why };
  const { mime, width, height, was } = fitted;
  const sha256 = parts.log.storeMedia(mime, Buffer.from(fitted.bytes).toString('base64'));
  return { taken: true, sha256, mime, width, height, was };
}
