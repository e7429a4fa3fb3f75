import { join } from 'node:path';
import { stateHome } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import { TrustStore } from '../permissions/index.ts';

export function trustPath(host: HostPorts): string {
  return join(stateHome(host.env), 'rein', 'trust.json');
}

export function trustStore(host: HostPorts): TrustStore {
  return new TrustStore(trustPath(host), host);
}
