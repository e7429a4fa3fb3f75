import type { World, WorldLook } from '../../model/index.ts';

/** The disk as a harness sees it. One for each session: it remembers what `once-per-session` and `startup` found. */
export interface WorldPort {
  look(look: WorldLook): Promise<World>;
  /** Forgets everything but `once-per-session`. */
  reload(): void;
}
