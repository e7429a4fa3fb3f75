import type { RunResult } from '../model/index.ts';
import type { InterruptSignal } from './stdio.ts';

export const EXIT = {
  ended: 0,
  failed: 1,
  usage: 2,
  permission: 3,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

export function signalExitCode(signal: InterruptSignal): number {
  switch (signal) {
    case 'SIGINT':
      return EXIT.interrupted;
    case 'SIGTERM':
      return EXIT.terminated;
    case 'SIGHUP':
      return EXIT.hungUp;
  }
}

/** The exit code of a run that came to its end by itself. */
export function exitCode(result: RunResult): number {
  switch (result.stopReason) {
    case 'end':
      return EXIT.ended;
    case 'permission':
      return EXIT.permission;
    case 'aborted':
      return EXIT.interrupted;
    case 'max_turns':
    case 'error':
      return EXIT.failed;
  }
}
