/**
 * What every provider takes, whatever the number of pictures in a request: above 20 of them the strictest refuses sides
 * over 2000 pixels, and bodies of one picture over 5 MiB, counted in base64.
 */
export const LONGEST_SIDE = 2000;
export const MOST_BYTES: number = (5 * 1024 * 1024 * 3) / 4;

/** A picture with more pixels is not decoded: it would take seconds and hundreds of megabytes. */
export const MOST_PIXELS = 40_000_000;
