export { EXIT } from './exit-code.ts';
export { type PrintJob, type PrintPorts, runPrint } from './run-print.ts';
export type { Input, InterruptSignal, Output, Stdio } from './stdio.ts';
