import {
  type AgentOptions,
  createNodeHost,
  type DoctorOptions,
  type DoctorReport,
  diagnose,
  type HostPorts,
  reportSettings as report,
  type SettingsReport,
} from '../runtime/index.ts';

/** What a run would find here, and what would keep it from working. Throws UsageError for a fault in the options. */
export function diagnoseMachine(
  options: DoctorOptions = {},
  host: HostPorts = createNodeHost(),
): Promise<DoctorReport> {
  return diagnose(options, host);
}

/** The settings in force, each with where it comes from; secrets hidden. Throws UsageError as a run would. */
export function reportSettings(
  options: AgentOptions = {},
  host: HostPorts = createNodeHost(),
): Promise<SettingsReport> {
  return report(options, host);
}
