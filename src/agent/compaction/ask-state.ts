import type { ProviderState } from '../../model/index.ts';
import { type ApartScope, askApart } from './ask-apart.ts';
import type { CompactionRun } from './compact.ts';

/**
 * A state that stands for the whole conversation, from a server that makes conversations shorter itself; null where
 * this one does not, or gave none. Throws ModelError.
 */
export async function askState({ turn, system }: CompactionRun, scope: ApartScope): Promise<ProviderState | null> {
  if (scope.model.port.compacts !== true) return null;
  const { tools, session } = turn;
  const { opaque } = await askApart({ system, messages: session.history, tools, native: true }, scope);
  return opaque ?? null;
}
