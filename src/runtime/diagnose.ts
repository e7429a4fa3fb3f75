import type { HostPorts } from '../host/index.ts';
import type { AvailableModels } from './available-models.ts';
import type { DoctorOptions, DoctorReport } from './doctor/examine.ts';
import type { AgentOptions } from './options.ts';

export type { DoctorOptions, DoctorReport } from './doctor/examine.ts';
export type { Finding } from './doctor/finding.ts';

/** As `availableModels`; loaded when it is wanted. */
export async function findModels(options: AgentOptions, host: HostPorts): Promise<AvailableModels[]> {
  const { availableModels } = await import('./available-models.ts');
  return await availableModels(options, host);
}

/** As `examine`; loaded when it is wanted, since no run needs it. */
export async function diagnose(options: DoctorOptions, host: HostPorts): Promise<DoctorReport> {
  const { examine } = await import('./doctor/examine.ts');
  return await examine(options, host);
}
