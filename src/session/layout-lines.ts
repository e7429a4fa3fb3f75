import { sha256 } from '../base/index.ts';
import type { Blob, Laid, Layout, Piece, PieceLine } from '../model/index.ts';
import type { LogIndex } from './log-index.ts';
import { toPieceLine } from './piece-record.ts';
import { SessionError } from './session-error.ts';

type Stored = Blob | PieceLine;

/** The layout of a text, and the lines that the log lacks for it. Throws SessionError session/wrong-hash. */
export function layoutLines(laid: Laid, index: LogIndex): { layout: Layout; lines: Stored[] } {
  const lines = new Map<string, Stored>();
  const layout = laid.map((item): Layout[number] => {
    if ('separator' in item) return { separator: item.separator };
    const { piece } = item;
    const line = toPieceLine(piece);
    if (!lines.has(piece.sha256) && !index.texts.holds('blob', piece.sha256))
      lines.set(piece.sha256, toTextLine(piece));
    if (!index.hasPiece(line.ref)) lines.set(line.ref, line);
    return { piece: line.ref, trigger: item.trigger };
  });
  return { layout, lines: [...lines.values()] };
}

function toTextLine(piece: Piece): Blob {
  if (sha256(piece.text) !== piece.sha256) {
    throw new SessionError('session/wrong-hash', `the text of piece ${piece.id} is not the one of its hash`, {
      data: { piece: piece.id },
    });
  }
  return { type: 'blob', sha256: piece.sha256, text: piece.text };
}
