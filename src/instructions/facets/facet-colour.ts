import type { Facet } from './facet.ts';

export type Background = 'light' | 'dark';

/** Relative luminance of white, and of the lightest background that terminals call dark. */
const LUMINANCE: Readonly<Record<Background, number>> = { light: 1, dark: 0.03 };
/** Of WCAG 2 for text. */
const CONTRAST = 4.5;
const SATURATION = 0.65;

function hash(text: string): number {
  let value = 0x811c9dc5;
  for (const byte of new TextEncoder().encode(text)) value = Math.imul(value ^ byte, 0x01000193) >>> 0;
  return value;
}

/** Of HSL; each channel from 0 to 255. */
function channels(hue: number, lightness: number): [number, number, number] {
  const reach = SATURATION * Math.min(lightness, 1 - lightness);
  const channel = (shift: number): number => {
    const at = (shift + hue / 30) % 12;
    return Math.round(255 * (lightness - reach * Math.max(-1, Math.min(at - 3, 9 - at, 1))));
  };
  return [channel(0), channel(8), channel(4)];
}

function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(left: number, right: number): number {
  return (Math.max(left, right) + 0.05) / (Math.min(left, right) + 0.05);
}

/** The hue comes from the name; the lightness is the first that can be read on the background. */
function derived(name: string, background: Background): string {
  const hue = hash(name) % 360;
  const step = background === 'light' ? -0.02 : 0.02;
  let lightness = 0.5;
  let rgb = channels(hue, lightness);
  while (lightness > 0.02 && lightness < 0.98 && contrast(luminance(rgb), LUMINANCE[background]) < CONTRAST) {
    lightness += step;
    rgb = channels(hue, lightness);
  }
  return `#${rgb.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** The facet's accent as `#rrggbb`: its own, or one that always follows from its name. */
export function facetColour({ name, keys }: Pick<Facet, 'name' | 'keys'>, background: Background): string {
  const own = background === 'light' ? keys.colorLight : keys.colorDark;
  return own ?? keys.color ?? derived(name, background);
}
