import type { Message, SessionState } from '../../model/index.ts';
import type { SessionLog } from '../../session/index.ts';

/** Boundaries that are looked behind. */
const MAX_BOUNDARIES = 64;

function nativeState(history: readonly Message[]): Extract<Message, { role: 'user' }> | null {
  const [first] = history;
  return first?.role === 'user' && first.opaque !== undefined ? first : null;
}

/**
 * The session with the conversation that a provider's own state stands for, where the next request goes to another
 * provider, which cannot read it; null: nothing stands in the way. `at`: where what came after the state begins.
 */
export function behindForeignState(
  log: SessionLog,
  state: SessionState,
  provider: string,
): { session: SessionState; at: number } | null {
  const first = nativeState(state.history);
  if (first === null || first.opaque?.provider === provider) return null;
  const later = state.history.slice(1);
  let before: readonly Message[] = [];
  let boundary: string | null = first.event;
  for (let count = 0; boundary !== null && count < MAX_BOUNDARIES; count += 1) {
    const history: readonly Message[] = log.stateAt(log.event(boundary)?.parentId ?? null).history;
    const earlier = nativeState(history);
    before = [...(earlier === null ? history : history.slice(1)), ...before];
    boundary = earlier?.event ?? null;
  }
  return { session: { ...state, history: [...before, ...later] }, at: before.length };
}
