/** Red, green, blue, alpha, a byte each, rows from the top. */
export type Pixels = { width: number; height: number; data: Uint8Array };

/** The picture at a smaller size: each pixel is the mean of those it covers, weighted by their alpha. */
export function shrinkPixels(source: Pixels, width: number, height: number): Pixels {
  const { data: from } = source;
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y += 1) {
    const [top, bottom] = covered(y, height, source.height);
    for (let x = 0; x < width; x += 1) {
      const [left, right] = covered(x, width, source.width);
      let red = 0;
      let green = 0;
      let blue = 0;
      let alpha = 0;
      for (let row = top; row < bottom; row += 1) {
        for (let at = (row * source.width + left) * 4, end = at + (right - left) * 4; at < end; at += 4) {
          const weight = from[at + 3] ?? 0;
          red += (from[at] ?? 0) * weight;
          green += (from[at + 1] ?? 0) * weight;
          blue += (from[at + 2] ?? 0) * weight;
          alpha += weight;
        }
      }
      const to = (y * width + x) * 4;
      if (alpha > 0) {
        data[to] = Math.round(red / alpha);
        data[to + 1] = Math.round(green / alpha);
        data[to + 2] = Math.round(blue / alpha);
      }
      data[to + 3] = Math.round(alpha / ((bottom - top) * (right - left)));
    }
  }
  return { width, height, data };
}

/** Which of `size` source lines belong to line `index` of `count`: at least one. */
function covered(index: number, count: number, size: number): [from: number, to: number] {
  const from = Math.floor((index * size) / count);
  return [from, Math.max(from + 1, Math.floor(((index + 1) * size) / count))];
}

/** As a camera meant it to be seen: EXIF orientation 1 to 8. */
export function turnPixels(source: Pixels, orientation: number): Pixels {
  if (orientation <= 1 || orientation > 8) return source;
  const swapped = orientation >= 5;
  const width = swapped ? source.height : source.width;
  const height = swapped ? source.width : source.height;
  const data = new Uint8Array(width * height * 4);
  const mirrored = [2, 3, 7, 8].includes(orientation);
  const flipped = [3, 4, 6, 7].includes(orientation);
  for (let y = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1) {
      const [column, row] = swapped ? [y, x] : [x, y];
      const sourceX = mirrored ? source.width - 1 - column : column;
      const sourceY = flipped ? source.height - 1 - row : row;
      const at = (sourceY * source.width + sourceX) * 4;
      data.set(source.data.subarray(at, at + 4), (y * width + x) * 4);
    }
  }
  return { width, height, data };
}

/** On white, without transparency. */
export function flattenPixels({ width, height, data }: Pixels): Pixels {
  const flat = new Uint8Array(data.length);
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3] ?? 255;
    for (let channel = 0; channel < 3; channel += 1) {
      flat[at + channel] = Math.round(((data[at + channel] ?? 0) * alpha + 255 * (255 - alpha)) / 255);
    }
    flat[at + 3] = 255;
  }
  return { width, height, data: flat };
}
