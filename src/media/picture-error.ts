import { ReinError } from '../base/index.ts';

/** A picture that cannot be decoded. Code: media/broken. */
export class PictureError extends ReinError {
  constructor(message: string, cause?: unknown) {
    super('media/broken', message, { cause });
  }
}
