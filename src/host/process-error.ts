import { ReinError } from '../base/index.ts';

/** A program could not be started. `data`: file, cwd, systemCode. */
export class ProcessError extends ReinError {}
