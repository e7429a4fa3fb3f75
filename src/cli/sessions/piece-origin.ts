import { printable } from '../../base/index.ts';
import type { TranscriptPiece } from '../../sdk/index.ts';

/** Where a piece came from, in a few words: `/a/AGENTS.md [project]`, `shipped`. On one line. */
export function originText({ origin }: TranscriptPiece): string {
  const from = origin.path === undefined ? origin.type : printable(origin.path);
  return origin.scope === undefined ? from : `${from} [${origin.scope}]`;
}

/** The piece and where it came from, by which rule: `context-file:/a/AGENTS.md, 12 bytes, from …`. */
export function pieceText(piece: TranscriptPiece): string {
  const bytes = `${piece.bytes} ${piece.bytes === 1 ? 'byte' : 'bytes'}`;
  const change = piece.change === 'new' ? '' : `${piece.change}: `;
  const rule = printable(piece.rule, 400);
  return `${change}${printable(piece.id)}, ${bytes}, from ${originText(piece)} (${piece.trigger}): ${rule}`;
}
