export { commandShell } from './command-shell.ts';
export { createExecutors } from './create-executors.ts';
export { DEFAULT_LIMITS } from './default-limits.ts';
