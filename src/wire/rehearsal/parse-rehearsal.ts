import { ReinError } from '../../base/index.ts';
import type { RehearsalScript } from './script.ts';

/** Reads a script, YAML or JSON. Throws UsageError (`rehearsal/script`) that begins with file, line and column. */
export async function parseRehearsal(text: string, path: string): Promise<RehearsalScript> {
  throw new ReinError('internal/not-built', path + text);
}
