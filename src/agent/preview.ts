import type { SessionLog } from '../session/index.ts';
import type { AgentParts } from './parts.ts';
import { prepareRequest } from './prepare-request.ts';
import { openSubmission, type Prepared } from './submission.ts';

/** What the next prompt would send. `log` is the scratch log whose history ends with that prompt. */
export type Preview = { prepared: Prepared; log: SessionLog; body: readonly string[] };

/**
 * Does exactly what a submission does, on a scratch log, up to the point where the request would leave. Nothing is
 * written and no model is asked.
 */
export async function preview(parts: AgentParts, prompt: string): Promise<Preview> {
  const log = parts.log.scratch();
  const prepared = await openSubmission({ ...parts, log }, log, { text: prompt, from: 'user' }, 'startup');
  return { prepared, log, body: prepareRequest(parts, log, prepared).body };
}
