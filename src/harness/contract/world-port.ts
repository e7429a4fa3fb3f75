import type { Refresh, SourceQuery, World } from '../../model/index.ts';

export type Look = {
  queries: readonly SourceQuery[];
  cwd: string;
  /** The working-directory stack, bottom first. */
  stack: readonly string[];
  /**
   * Why it looks now: a query whose `refresh` is slower than this is answered from the last look. `startup` looks at
   * everything; a turn's start re-reads `turn` and `request`; a later request of the turn only `request`.
   */
  moment: Exclude<Refresh, 'once-per-session'>;
};

/** The disk as a harness sees it. One for each session: it remembers what `once-per-session` and `startup` found. */
export interface WorldPort {
  look(look: Look): Promise<World>;
  /** Forgets everything but `once-per-session`. */
  reload(): void;
}
