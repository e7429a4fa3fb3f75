import type { ContextSize, CutPoint, Laid, SummaryRequest, Turn } from '../../model/index.ts';

/**
 * How a harness makes a long conversation fit: pure, as all of it. What goes out anew after the boundary is for its
 * `compose` to say, from `session.delivery`.
 */
export interface Compaction {
  /** When the size is looked at unasked: before each request, or once a turn has ended. */
  readonly moment: 'request' | 'turn-end';
  /** Whether it is time, unasked. Never where the window is not known. */
  due(turn: Turn, size: ContextSize): boolean;
  /** Null: nothing to make shorter. `overflow`: a server refused the request as too long, so less may stay. */
  cut(turn: Turn, size: ContextSize, overflow: boolean): CutPoint | null;
  /**
   * Each is asked by itself; their answers come back in order. Instruction pieces are in none of them: they are given
   * again as they are.
   */
  requests(turn: Turn, cut: CutPoint, guidance: string | null): readonly SummaryRequest[];
  /** The message that stands for what was cut off. */
  summary(turn: Turn, cut: CutPoint, answers: readonly string[]): Laid;
  /** Another cut, where this summary came out too long for the first; it is taken at most once. */
  again?(turn: Turn, cut: CutPoint, summary: Laid, size: ContextSize): CutPoint | null;
}
