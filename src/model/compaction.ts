import type { Laid } from './piece.ts';

/** How full the model's window will be with the next request, in tokens. */
export type ContextSize = {
  tokens: number;
  /** 'usage': counted by the provider up to its last answer, the rest estimated. */
  source: 'usage' | 'estimate';
  /** Null: unknown, which is not zero: then only a refusal tells that it is full. */
  window: number | null;
  /** Kept free for the answer: a bounded share of the window; 0 where that is unknown. */
  reserve: number;
};

/** How the user wants conversations shortened. */
export type CompactionSettings = {
  /** Unasked, when the window fills. By command it always works. */
  automatic: boolean;
  /** Share of the window, above 0 and at most 1, from which it is done unasked; null: the harness's own. */
  threshold: number | null;
  /** Tokens of the newest part that stay word for word; null: the harness's own. */
  keepTokens: number | null;
};

/**
 * Messages of the session's history before this place go into the summary, those from it on stay word for word. It
 * never lies between a call and its result; the length of the history: nothing stays.
 */
export type CutPoint = {
  at: number;
  /** The summary ends before this place; what lies between it and `at` is in neither. Absent: `at`. */
  until?: number;
};

/** What a model is asked, by itself and without tools, to write a summary. */
export type SummaryRequest = { system: Laid; text: string };
