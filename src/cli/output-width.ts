import type { Stdio } from '../print/index.ts';
import type { HostPorts } from '../sdk/index.ts';

const DEFAULT_WIDTH = 100;

/** Columns to lay a report out for: the terminal's, else what COLUMNS says (40 to 1000), else 100. */
export function outputWidth({ output }: Stdio, env: HostPorts['env']): number {
  if (output.columns !== null) return Math.max(40, output.columns);
  const told = Number(env.get('COLUMNS'));
  return Number.isInteger(told) && told >= 40 && told <= 1000 ? told : DEFAULT_WIDTH;
}
