import type { ClockPort, EnvPort, FilePort } from '../host/index.ts';
import type { Refresh, SourceQuery, World } from '../model/index.ts';

export type DiscoveryOptions = {
  files: FilePort;
  env: EnvPort;
  /** The real clock: it is compared with the times of files. */
  clock: Pick<ClockPort, 'now'>;
};

export type DiscoveryLook = {
  queries: readonly SourceQuery[];
  /** Absolute. */
  cwd: string;
  /** The working-directory stack, bottom first. */
  stack: readonly string[];
  moment: Exclude<Refresh, 'once-per-session'>;
};

/** One for each session. It is the harness contract's `WorldPort`; see there for `moment` and `reload`. */
export interface Discovery {
  /** Never throws for what is on disk: faults are diagnostics of the world. */
  look(look: DiscoveryLook): Promise<World>;
  reload(): void;
}

export function createDiscovery(options: DiscoveryOptions): Discovery {
  return {
    async look(look) {
      return {
        files: [],
        searched: [],
        diagnostics: [],
        projectRoot: null,
        cwd: look.cwd,
        stack: look.stack,
        platform: { os: options.env.platform(), shell: '', home: options.env.home() },
        git: null,
      };
    },
    reload() {},
  };
}
