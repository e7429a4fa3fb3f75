import { ReinError } from '../../base/index.ts';
import type { HostPorts } from '../../host/index.ts';
import type { Wire } from '../../model/index.ts';
import type { CapturedRequest, RehearsalScript } from './script.ts';

export type RehearsalServerOptions = {
  host: Pick<HostPorts, 'http' | 'clock'>;
  script: RehearsalScript;
  wire: Wire;
  /** Default 0: a free one. */
  port?: number;
};

export type RehearsalServer = {
  /** To be given as base URL: `http://127.0.0.1:PORT/v1`. */
  readonly url: string;
  requests(): readonly CapturedRequest[];
  /** Every broken rule and unmet expectation so far. */
  failures(): readonly string[];
  close(): Promise<void>;
};

/** Plays the script on 127.0.0.1. */
export async function serveRehearsal(options: RehearsalServerOptions): Promise<RehearsalServer> {
  throw new ReinError('internal/not-built', options.script.path);
}
