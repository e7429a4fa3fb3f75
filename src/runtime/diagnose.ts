import type { HostPorts } from '../host/index.ts';
import type { DoctorOptions, DoctorReport } from './doctor/examine.ts';

export type { DoctorOptions, DoctorReport } from './doctor/examine.ts';
export type { Finding } from './doctor/finding.ts';

/** As `examine`; loaded when it is wanted, since no run needs it. */
export async function diagnose(options: DoctorOptions, host: HostPorts): Promise<DoctorReport> {
  const { examine } = await import('./doctor/examine.ts');
  return await examine(options, host);
}
