import type { Event, Header } from './log.ts';
import type { Piece, PieceRef } from './piece.ts';

/** What a fold may look up beside the event itself: what the log holds under a reference. */
export type FoldLookup = {
  piece(ref: PieceRef): Piece | undefined;
  event(id: string): Event | undefined;
  /** The event before that one, where its own parent may be lost; default: what the event says. */
  parentOf?(id: string): string | null;
};

/**
 * A pure function over the events of the active branch. `step` returns the same object where nothing changed.
 * State must survive JSON: it is kept in checkpoints under `name`, except where `checkpoint` is 'rebuilt' (history),
 * which is folded anew from the boundary's `keptFrom`.
 */
export interface Fold<S> {
  readonly name: string;
  readonly checkpoint: 'carried' | 'rebuilt';
  initial(header: Header): S;
  step(state: S, event: Event, lookup: FoldLookup): S;
  /** The same as `step` over each in turn, without a copy for each: for states that grow with the session. */
  stepAll?(state: S, events: readonly Event[], lookup: FoldLookup): S;
}
