import type { Laid, Piece } from '../../model/index.ts';
import { lay } from '../layout.ts';
import { makePiece, shippedPiece } from '../piece.ts';

/** What a summary is known by, in whichever frame it stands. */
export const SUMMARY_ID = 'compaction/summary';

/** What the model is told that writes a summary, as its system prompt. */
export function summarySystem(text: string): Laid {
  const rule = 'What a model is told that writes the summary of a conversation.';
  return lay(
    shippedPiece({ id: 'compaction/system', kind: 'guidance', placement: 'system', rule, text }),
    'context-reset',
  );
}

export function summaryPiece(text: string, requirement: string): Piece {
  return makePiece({
    id: SUMMARY_ID,
    kind: 'summary',
    origin: { type: 'session' },
    placement: 'history',
    rule: 'A summary stands for the older part of a conversation that was made shorter.',
    requirement,
    text,
  });
}
