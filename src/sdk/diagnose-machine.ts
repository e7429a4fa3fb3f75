import {
  type AgentOptions,
  type AvailableModels,
  createNodeHost,
  type DoctorOptions,
  type DoctorReport,
  diagnose,
  findModels,
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

/** Asks the model servers that could be used for their models. Throws UsageError where there is none. */
export function availableModels(
  options: AgentOptions = {},
  host: HostPorts = createNodeHost(),
): Promise<AvailableModels[]> {
  return findModels(options, host);
}
