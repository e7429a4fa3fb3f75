import type { ContextDifference } from '../model/index.ts';
import {
  type ContextAnswer,
  type ContextOptions,
  createNodeHost,
  differenceOf,
  type HostPorts,
  readContext,
} from '../runtime/index.ts';

/** What the model would be sent, or was sent. No model is called, nothing is written. */
export function previewContext(
  options: ContextOptions = {},
  host: HostPorts = createNodeHost(),
): Promise<ContextAnswer> {
  return readContext(options, host);
}

/** What one request holds that another does not, piece by piece. `names` are shown for the two sides. */
export async function compareContexts(
  left: ContextOptions,
  right: ContextOptions,
  names: { left: string; right: string },
): Promise<ContextDifference> {
  const before = await previewContext(left);
  const after = await previewContext(right);
  return differenceOf(before, after, names);
}
