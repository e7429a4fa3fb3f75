import {
  type RehearsalServer,
  type RehearsalServerOptions,
  serveRehearsal as serveOn,
} from '../wire/rehearsal/index.ts';

export type ServeOptions = Omit<RehearsalServerOptions, 'host'> & Partial<Pick<RehearsalServerOptions, 'host'>>;

/** Plays a script as a server on 127.0.0.1. `host`: this machine, unless a test brings its own clock and HTTP port. */
export async function serveRehearsal(options: ServeOptions): Promise<RehearsalServer> {
  const host = options.host ?? (await import('../sdk/index.ts')).createNodeHost();
  return serveOn({ ...options, host });
}
