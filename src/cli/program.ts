/**
 * Everything behind the entry's door, bundled into one file that is loaded with its compiled code: see
 * `load-program.ts` and docs/decisions/0008-code-cache.md.
 */
export { readCommandLine } from './command-line.ts';
export { runCommandLine } from './run-command-line.ts';
