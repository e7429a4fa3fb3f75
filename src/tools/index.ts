export { createExecutors } from './create-executors.ts';
export { DEFAULT_LIMITS } from './default-limits.ts';
export { commandShell } from './shell/command-shell.ts';
