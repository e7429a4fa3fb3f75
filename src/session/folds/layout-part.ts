import { byteLength } from '../../base/index.ts';
import type { FoldLookup, Layout, TextPart } from '../../model/index.ts';

/**
 * The text of a layout as a message part, with the spans of its pieces in UTF-8 bytes. A piece that the log cannot give
 * back is left out; null where none of several is left, since headings without their bodies would mislead.
 */
export function layoutPart(layout: Layout, lookup: FoldLookup): TextPart | null {
  const pieces: NonNullable<TextPart['pieces']> = [];
  let text = '';
  let at = 0;
  let lost = 0;
  for (const item of layout) {
    if ('separator' in item) {
      text += item.separator;
      at += byteLength(item.separator);
      continue;
    }
    const piece = lookup.piece(item.piece);
    if (piece === undefined) {
      lost += 1;
      continue;
    }
    const end = at + byteLength(piece.text);
    pieces.push({ at: [at, end], piece: item.piece, trigger: item.trigger });
    text += piece.text;
    at = end;
  }
  if (lost > 0 && pieces.length === 0) return null;
  return pieces.length === 0 ? { type: 'text', text } : { type: 'text', text, pieces };
}
