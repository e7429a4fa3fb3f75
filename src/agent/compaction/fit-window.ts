import { messageOf } from '../../base/index.ts';
import type { Compaction } from '../../harness/contract/index.ts';
import type { ContextSize } from '../../model/index.ts';
import { TurnError } from '../error.ts';
import type { TurnScope } from '../run-turn.ts';
import { continueSubmission, type Prepared } from '../submission.ts';
import { compact, compactLocally } from './compact.ts';
import { contextSize } from './context-size.ts';
import { behindForeignState } from './foreign-state.ts';

/** Times that a turn makes the conversation shorter without getting below the threshold. */
const MAX_ATTEMPTS = 2;

/**
 * Keeps the requests of one turn within the model's window. It gives up after a few attempts that did not help: else a
 * system prompt that nearly fills the window would have every step pay for a summary.
 */
export class WindowFit {
  readonly #scope: TurnScope;
  #attempts = 0;

  constructor(scope: TurnScope) {
    this.#scope = scope;
  }

  /** The request as it is to be sent: the same, or composed anew after a boundary. Throws TurnError turn/no-room. */
  async before(prepared: Prepared): Promise<Prepared> {
    const { parts } = this.#scope;
    let current = await this.#readable(prepared);
    let size = this.#tooFull(current, 'request');
    if (size === null) return current;
    while (size !== null) {
      if (this.#attempts >= MAX_ATTEMPTS) throw noRoom(size);
      const done = await this.#attempt(current, size, 'threshold');
      if (done === 'nothing' && this.#attempts > 0) throw noRoom(size);
      if (done !== 'done') return current;
      this.#attempts += 1;
      current = await continueSubmission(parts, parts.log, current, 'compaction');
      size = this.#tooFull(current, 'request');
    }
    this.#attempts = 0;
    return current;
  }

  /**
   * How full the window is, where it is time to do something about it and the harness looks at this moment; else null.
   * Nothing is measured against a window that nobody knows.
   */
  #tooFull(prepared: Prepared, moment: Compaction['moment']): ContextSize | null {
    const { compaction } = this.#scope.parts.harness;
    const window = prepared.model.info?.contextWindow ?? null;
    if (compaction === undefined || compaction.moment !== moment || window === null) return null;
    const size = sizeOf(prepared, this.#scope);
    return compaction.due(turnOf(prepared, this.#scope), size) ? size : null;
  }

  /** A state that only another provider can read is told anew, from the conversation that it stands for. */
  async #readable(prepared: Prepared): Promise<Prepared> {
    const { parts, signal, emit } = this.#scope;
    const { model, effort, composition } = prepared;
    const { compaction } = parts.harness;
    const behind = behindForeignState(parts.log, parts.log.state(), model.port.info.provider);
    if (compaction === undefined || behind === null) return prepared;
    const turn = { ...turnOf(prepared, this.#scope), session: behind.session };
    const size = sizeOf(prepared, this.#scope);
    const run = { turn, size, system: composition.system, why: 'provider' as const, guidance: null };
    emit({ type: 'compaction-start', why: 'provider', tokens: size.tokens, window: size.window });
    await compactLocally(compaction, { at: behind.at }, run, { parts, model, effort, signal, emit });
    emit({ type: 'compaction-end', before: size.tokens, after: sizeOf(prepared, this.#scope).tokens });
    return continueSubmission(parts, parts.log, prepared, 'compaction');
  }

  /** A server refused the request as too long. Whether the turn may go on with a shorter one. */
  async afterOverflow(prepared: Prepared): Promise<boolean> {
    if (this.#attempts >= MAX_ATTEMPTS) return false;
    this.#attempts += 1;
    return (await this.#attempt(prepared, sizeOf(prepared, this.#scope), 'overflow')) === 'done';
  }

  /** Of harnesses that look at the size when a turn has ended. */
  async afterTurn(prepared: Prepared): Promise<void> {
    const size = this.#tooFull(prepared, 'turn-end');
    if (size !== null) await this.#attempt(prepared, size, 'threshold');
  }

  /** A summary that cannot be had is told; the conversation is as it was, and may still fit. */
  async #attempt(
    prepared: Prepared,
    size: ContextSize,
    why: 'threshold' | 'overflow',
  ): Promise<'done' | 'nothing' | 'failed'> {
    const { parts, signal, emit } = this.#scope;
    const { model, effort, composition } = prepared;
    const turn = turnOf(prepared, this.#scope);
    try {
      const run = { turn, size, system: composition.system, why, guidance: null };
      const done = await compact(run, { parts, model, effort, signal, emit });
      return done ? 'done' : 'nothing';
    } catch (error) {
      if (signal.aborted) throw error;
      const message = `the conversation could not be made shorter: ${messageOf(error)}`;
      emit({ type: 'diagnostic', diagnostic: { severity: 'warning', code: 'compaction/failed', message } });
      return 'failed';
    }
  }
}

function turnOf(prepared: Prepared, { parts }: TurnScope): Prepared['turn'] {
  return { ...prepared.turn, model: prepared.model.info, session: parts.log.state(), reason: 'compaction' };
}

function sizeOf(prepared: Prepared, { parts }: TurnScope): ContextSize {
  const { turn, composition, model } = prepared;
  return contextSize({
    session: parts.log.state(),
    model: model.info,
    system: composition.system,
    tools: turn.tools,
  });
}

function noRoom({ tokens, window, reserve }: ContextSize): TurnError {
  const room = window === null ? 'its window' : `its window of ${window.toLocaleString('en')} tokens`;
  return new TurnError(
    'turn/no-room',
    `the conversation was made shorter and still takes about ${tokens.toLocaleString('en')} tokens, too much for ${room}: shorten the facet or the instruction files, offer fewer tools, or take a model with a larger window; the next prompt tries again`,
    { data: { tokens, window, reserve } },
  );
}
