/** A picture that may be sent: measured, and made smaller where it was over the bounds. Sizes in pixels and bytes. */
export type FittedImage =
  | {
      fits: true;
      mime: string;
      bytes: Uint8Array;
      width: number;
      height: number;
      /** As it came, where it was made smaller. */
      was: { width: number; height: number; bytes: number } | null;
    }
  /** `why`: half a sentence for whoever is told instead: `3000×2000 pixels, and only …`. */
  | { fits: false; fault: 'not-a-picture' | 'broken' | 'too-large'; why: string };

/** A picture that a session keeps, as it will be sent. */
export type TakenImage =
  | {
      taken: true;
      sha256: string;
      mime: string;
      width: number;
      height: number;
      was: { width: number; height: number } | null;
    }
  | ({ taken: false } & Omit<Extract<FittedImage, { fits: false }>, 'fits'>);

/** Never throws for what the bytes hold. */
export type FitImage = (bytes: Uint8Array) => Promise<FittedImage>;
