import { byteLength } from '../base/index.ts';
import type { Piece } from '../model/index.ts';

type Fragments = NonNullable<Piece['fragments']>;

/** Bytes, in the text as it was, at which a tag's `<` was written as `&lt;`. */
function writtenOut(text: string, neutral: string): number[] {
  const places: number[] = [];
  let bytes = 0;
  let from = 0;
  let grown = 0;
  for (let at = text.indexOf('<'); at >= 0; at = text.indexOf('<', at + 1)) {
    if (neutral.charAt(at + grown) === '<') continue;
    bytes += byteLength(text.slice(from, at));
    from = at;
    places.push(bytes);
    grown += '&lt;'.length - 1;
  }
  return places;
}

/** Fragments of the text as it was, in the text with its closing tags written out. */
export function movedFragments(fragments: Fragments, text: string, neutral: string): Fragments {
  const places = writtenOut(text, neutral);
  const moved = (offset: number): number => offset + 3 * places.filter((place) => place < offset).length;
  return fragments.map(({ at: [start, end], from }) => ({ at: [moved(start), moved(end)], from }));
}
