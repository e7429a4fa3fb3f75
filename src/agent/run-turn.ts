import { boundedDiagnostics } from '../base/index.ts';
import {
  type Batch,
  type EventOf,
  isCall,
  ModelError,
  type Reminder,
  type TransientEvent,
  type Turn,
  type TurnStop,
} from '../model/index.ts';
import { takePlanOver } from './begin-anew.ts';
import type { BesidePorts } from './call-outcome.ts';
import { WindowFit } from './compaction/fit-window.ts';
import { answerNeeds, foundMeanwhile } from './compose-turn.ts';
import { dropRefusedMedia } from './drop-refused-media.ts';
import { outputLimitReminder, planTakenReminder } from './notices.ts';
import type { AgentParts } from './parts.ts';
import { prepareRequest } from './prepare-request.ts';
import { brokeInsideCall, readAgain } from './read-again.ts';
import type { Answer } from './read-answer.ts';
import { recordRequest } from './record-request.ts';
import { runBatch } from './run-batch.ts';
import {
  continueSubmission,
  type MoreReminders,
  openSubmission,
  openUnprompted,
  type Prepared,
  type PromptInput,
  writeReminders,
  writeSteers,
} from './submission.ts';

/** Answers in a row that the output limit cut before a call was complete. */
const MAX_CUT_ANSWERS = 3;

export type TurnScope = {
  parts: AgentParts;
  signal: AbortSignal;
  emit(event: TransientEvent): void;
  /** Messages to be put into the running turn; taking them empties the queue. */
  takeSteers(): readonly PromptInput[];
  hasSteers(): boolean;
  moment: 'startup' | 'turn';
  /** Requests that the same prompt has caused before this turn. */
  asked: number;
  beside: BesidePorts;
  /** The ends of tasks that the model is still to be told. */
  ended: MoreReminders;
};

/** `last`: what its last request was made of; null where it came to none. */
export type TurnEnd = { stop: TurnStop; requests: number; error: Error | null; last: Prepared | null };

/**
 * One prompt to its end; null: there is none, and the model answers what it is told. Closes with a `turn-end` event
 * wherever the log still takes one; a failure is in the result, not thrown.
 */
export async function runTurn(input: PromptInput | null, scope: TurnScope): Promise<TurnEnd> {
  const { log } = scope.parts;
  const turn = new TurnLoop(scope);
  let end: TurnEnd;
  try {
    end = await turn.run(input);
  } catch (error) {
    end = {
      stop: scope.signal.aborted ? 'aborted' : 'error',
      requests: turn.requests,
      error: asError(error),
      last: turn.last,
    };
  }
  try {
    // What a command left running may have changed since.
    for (const diagnostic of await scope.parts.protectedFiles.since()) log.note({ type: 'notice', diagnostic });
    log.append({ type: 'turn-end', stop: end.stop });
  } catch (error) {
    return { ...end, stop: 'error', error: end.error ?? asError(error) };
  }
  return end;
}

function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new ModelError('internal', String(thrown));
}

/** Another request follows, for this reason; `told`: what is to be said first. */
type Next = { reason: 'batch' | 'steer' | 'compaction'; told?: readonly Reminder[] };

class TurnLoop {
  requests = 0;
  last: Prepared | null = null;
  readonly #scope: TurnScope;
  readonly #fit: WindowFit;
  #cutAnswers = 0;

  constructor(scope: TurnScope) {
    this.#scope = scope;
    this.#fit = new WindowFit(scope);
  }

  async run(input: PromptInput | null): Promise<TurnEnd> {
    const { parts, moment, ended } = this.#scope;
    let prepared =
      input === null
        ? await openUnprompted(parts, parts.log, moment, ended)
        : await openSubmission(parts, parts.log, input, moment, ended);
    for (;;) {
      this.last = prepared;
      if (this.#scope.signal.aborted) return this.#end('aborted');
      if (this.#isSpent()) return this.#end('max-turns');
      prepared = await this.#fit.before(prepared);
      this.last = prepared;
      if (this.#scope.signal.aborted) return this.#end('aborted');
      const next = await this.#step(prepared);
      if ('stop' in next) {
        if (next.stop === 'end') await this.#fit.afterTurn(prepared);
        return next;
      }
      const told = next.told ?? [];
      const more: MoreReminders = async (turn) => [...told, ...(await ended(turn))];
      prepared = await continueSubmission(parts, parts.log, prepared, next.reason, more);
    }
  }

  /** As many requests as one prompt may cause were made, those of the turns before on its account included. */
  #isSpent(): boolean {
    const { parts, asked } = this.#scope;
    return parts.maxRequests !== null && asked + this.requests >= parts.maxRequests;
  }

  async #step(prepared: Prepared): Promise<TurnEnd | Next> {
    const { signal } = this.#scope;
    this.#tell(prepared);
    const { request, answer } = await this.#ask(prepared);
    const assistant = this.#write(request, answer);
    if (answer.error !== undefined) {
      if (signal.aborted) return this.#end('aborted');
      if (answer.error.fault === 'overflow' && (await this.#fit.afterOverflow(prepared)))
        return { reason: 'compaction' };
      return brokeInsideCall(answer) ? this.#cut(answer.openCalls, true) : this.#end('error', answer.error);
    }
    const calls = answer.parts.filter(isCall);
    if (calls.length > 0 && answer.stop === 'length')
      return this.#cut(
        calls.map(({ name }) => name),
        false,
      );
    this.#cutAnswers = 0;
    if (calls.length > 0 && assistant !== null) return this.#batch(prepared, assistant, calls);
    if (await this.#steer(prepared)) return { reason: 'steer' };
    return this.#end('end');
  }

  /** One request; a second one, with another body, where the server refuses the pictures in the first. */
  async #ask(prepared: Prepared): Promise<{ request: string; answer: Answer }> {
    const { parts, emit } = this.#scope;
    const first = await this.#send(prepared);
    const { error } = first.answer;
    const drops = (refusal: ModelError): boolean =>
      dropRefusedMedia(parts, prepared.model, refusal, (diagnostic) => emit({ type: 'diagnostic', diagnostic }));
    if (error === undefined || !drops(error)) return first;
    if (this.#isSpent()) return first;
    const second = await this.#send(prepared);
    // Not asked a third time; but what was refused twice must not stand in the way of the next prompt.
    if (second.answer.error !== undefined) drops(second.answer.error);
    return second;
  }

  async #send(prepared: Prepared): Promise<{ request: string; answer: Answer }> {
    const { parts } = this.#scope;
    const request = prepareRequest(parts, parts.log, prepared);
    const event = recordRequest(parts, prepared, request);
    this.requests += 1;
    const { signal, emit } = this.#scope;
    const answer = await readAgain(request, { parts, port: prepared.model.port, signal, emit });
    return { request: event.id, answer };
  }

  async #batch(
    prepared: Prepared,
    assistant: EventOf<'assistant'>,
    calls: Parameters<typeof runBatch>[1],
  ): Promise<TurnEnd | Next> {
    const { parts, signal, emit, hasSteers, beside } = this.#scope;
    const asked = { ...prepared.turn, model: prepared.model.info };
    const scope = {
      beside,
      parts,
      turn: asked,
      faces: prepared.faces,
      assistant: assistant.id,
      calls: calls.length,
      signal,
      emit,
    };
    const { batch, needsPerson, after, ends } = await runBatch(assistant, calls, scope, hasSteers);
    if (signal.aborted) return this.#end('aborted');
    if (needsPerson !== null) return this.#end('permission', needsPerson);
    // A subagent has given its result: that was its last word.
    if (parts.log.state().given !== null) return this.#end('end');
    if (ends) return this.#end('end');
    if (after !== null) {
      takePlanOver(parts, after);
      return { reason: 'batch', told: after.type === 'new-context' ? [planTakenReminder(parts.harness)] : [] };
    }
    const turn = { ...asked, session: parts.log.state(), reason: 'batch' as const };
    await this.#afterBatch(turn, batch);
    const reason = parts.harness.stop({ ...turn, session: parts.log.state() });
    if (reason !== null) return this.#end('end');
    return (await this.#steer(prepared)) ? { reason: 'steer' } : { reason: 'batch' };
  }

  /** What the directories that the batch touched have to say. */
  async #afterBatch(turn: Turn, batch: Batch): Promise<void> {
    const { parts, emit } = this.#scope;
    const answered = await answerNeeds((current) => parts.harness.afterBatch(current, batch), turn, parts);
    const { reminders, diagnostics = [] } = answered.answer;
    writeReminders(parts.log, reminders);
    for (const diagnostic of boundedDiagnostics([...foundMeanwhile(answered, turn), ...diagnostics]))
      emit({ type: 'diagnostic', diagnostic });
  }

  /** The answer was cut inside a call: nothing of it was run, and the model is told why. */
  #cut(names: readonly string[], lost: boolean): TurnEnd | { reason: 'batch' } {
    this.#cutAnswers += 1;
    if (this.#cutAnswers >= MAX_CUT_ANSWERS) {
      const message = `the model's answers were cut by its output limit ${MAX_CUT_ANSWERS} times in a row, inside a tool call`;
      return this.#end('error', new ModelError('truncated', message));
    }
    writeReminders(this.#scope.parts.log, [outputLimitReminder(names, lost, this.#scope.parts.harness)]);
    return { reason: 'batch' };
  }

  #write(request: string, answer: Answer): EventOf<'assistant'> | null {
    const { log } = this.#scope.parts;
    const broken = answer.error !== undefined || (answer.stop === 'length' && answer.parts.some(isCall));
    if (broken && answer.parts.length === 0) return null;
    const event = log.append({
      type: 'assistant',
      request,
      parts: answer.parts,
      stop: answer.stop,
      usage: answer.usage,
      ...(broken ? { partial: true as const } : {}),
      ...(answer.opaque === undefined ? {} : { opaque: answer.opaque }),
    });
    return event as EventOf<'assistant'>;
  }

  async #steer(prepared: Prepared): Promise<boolean> {
    const { parts, takeSteers, emit } = this.#scope;
    const steers = takeSteers();
    const diagnostics = await writeSteers(parts, parts.log, prepared, steers);
    for (const diagnostic of diagnostics) emit({ type: 'diagnostic', diagnostic });
    return steers.length > 0;
  }

  #tell(prepared: Prepared): void {
    const { turn, composition, diagnostics } = prepared;
    const all = [...turn.world.diagnostics, ...diagnostics, ...composition.diagnostics];
    for (const diagnostic of boundedDiagnostics(all)) this.#scope.emit({ type: 'diagnostic', diagnostic });
  }

  #end(stop: TurnEnd['stop'], error: Error | null = null): TurnEnd {
    return { stop, requests: this.requests, error, last: this.last };
  }
}
