import { configHome, type LoadedConfig, loadConfig, type SettingsTrust } from '../config/index.ts';
import type { HostPorts } from '../host/index.ts';
import type { Location } from './locate.ts';
import type { AgentOptions } from './options.ts';

/** The settings in force for these options. Throws UsageError for a fault in what was given for this run. */
export function readConfig(
  options: AgentOptions,
  host: HostPorts,
  { cwd, projectRoot }: Location,
): Promise<LoadedConfig> {
  const flags: Record<string, unknown> = {
    model: options.model,
    base_url: options.baseUrl,
    wire: options.wire,
    harness: options.harness,
    effort: options.effort,
    facet: options.facet,
    permission_mode: options.permissionMode,
    max_turns: options.maxTurns,
  };
  return loadConfig({
    files: host.files,
    env: host.env,
    cwd,
    projectRoot,
    configHome: configHome(host.env),
    overrides: [
      ...(options.config ?? []),
      ...(options.handoff === undefined ? [] : [`plans.handoff=${options.handoff}`]),
    ],
    trust: options.trust === true ? 'this-run' : lazyTrust(host),
    flags: Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined)),
  });
}

/** Looked at only where there is something to trust. */
function lazyTrust(host: HostPorts): SettingsTrust {
  const store = async (): Promise<SettingsTrust> => (await import('./trust-store.ts')).trustStore(host);
  return {
    trusts: async (directory, hash) => (await store()).trusts(directory, hash),
    doubts: async (path) => (await store()).doubts(path),
  };
}
