export type RegexSearch = {
  /** JavaScript's syntax; must be valid with these flags (without `g`, `y` and `d`). */
  pattern: string;
  flags: string;
  text: string;
  /** Each line by itself, without its `\n`; else the text as a whole. */
  lines: boolean;
  maxSpans: number;
};

/** UTF-16 offsets into the text, start and end of each match by turns, ascending. */
export type RegexSpans = readonly number[];

/**
 * Patterns and texts from outside: a match may take exponential time, and no JavaScript can stop it from the same
 * thread. `limitMs` ends it.
 */
export interface RegexPort {
  /** `complete: false`: the time was up, and there are no spans. */
  find(search: RegexSearch, limitMs: number): Promise<{ spans: RegexSpans; complete: boolean }>;
}
