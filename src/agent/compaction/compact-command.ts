import { conversationTokens } from '../../instructions/index.ts';
import type { TransientEvent } from '../../model/index.ts';
import { beginTurn, lookAround } from '../begin-turn.ts';
import { composeTurn } from '../compose-turn.ts';
import { CommandError } from '../error.ts';
import type { AgentParts } from '../parts.ts';
import { withRunChoices } from '../run-choices.ts';
import { compact } from './compact.ts';
import { contextSize } from './context-size.ts';

/**
 * Makes the conversation shorter because a person asks for it, whatever the settings say. Returns whether there was
 * anything to make shorter, and its tokens before and after. Throws CommandError compaction/none, and ModelError.
 */
export async function compactByCommand(
  parts: AgentParts,
  guidance: string | null,
  signal: AbortSignal,
  emit: (event: TransientEvent) => void,
): Promise<Record<string, unknown>> {
  const { harness, log } = parts;
  if (harness.compaction === undefined) {
    throw new CommandError('compaction/none', `harness "${harness.name}" cannot make conversations shorter`);
  }
  const session = withRunChoices(parts, log.state());
  const before = conversationTokens(session.history);
  if (session.history.length === 0) return { compacted: false, before };
  const world = await lookAround(parts, session, 'turn');
  const { turn, used } = await beginTurn(parts, session, world, 'compaction');
  const { composition } = await composeTurn(harness, turn, parts);
  const model = used.model.info;
  const size = contextSize({ session, model, system: composition.system, tools: turn.tools });
  const { system } = composition;
  const run = { turn: { ...turn, model }, size, system, why: 'manual' as const, guidance };
  const done = await compact(run, { parts, model: used.model, effort: used.effort, signal, emit });
  return done
    ? { compacted: true, before, after: conversationTokens(log.state().history) }
    : { compacted: false, before };
}
