import { signalExitCode } from './exit-code.ts';
import type { InterruptSignal, Stdio } from './stdio.ts';

/** The first signal asks the run to end, by `onFirst`; a second ends the process at once. */
export class Interrupts {
  /** The first one received. */
  signal: InterruptSignal | null = null;
  readonly #stop: () => void;

  constructor(stdio: Stdio, onFirst: () => void) {
    this.#stop = stdio.onInterrupt((signal) => {
      if (this.signal !== null) {
        stdio.exit(signalExitCode(signal));
        return;
      }
      this.signal = signal;
      onFirst();
    });
  }

  stop(): void {
    this.#stop();
  }
}
