import { join } from 'node:path';
import { type LoadedConfig, stateHome } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import { TrustStore } from '../permissions/index.ts';
import type { AgentOptions } from './options.ts';

export function trustPath(host: HostPorts): string {
  return join(stateHome(host.env), 'rein', 'trust.json');
}

export function trustStore(host: HostPorts): TrustStore {
  return new TrustStore(trustPath(host), host);
}

/** Whether a person trusts the project as its settings are now: for this run, or for good. */
export async function isTrusted({ trust }: AgentOptions, host: HostPorts, { project }: LoadedConfig): Promise<boolean> {
  return trust === true || (await trustStore(host).trusts(project.directory, project.sha256));
}
