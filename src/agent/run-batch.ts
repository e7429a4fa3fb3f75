import { type Batch, type CallPart, callKey, type EventOf } from '../model/index.ts';
import { type Admitted, admitCall } from './admit-call.ts';
import { type CallOutcome, type CallScope, refused } from './call-outcome.ts';
import type { PermissionNeeded } from './error.ts';
import { runCall, writtenPaths } from './run-call.ts';

/** `after`: what a call wants to become of the conversation, now that all results are written. */
export type BatchEnd = {
  batch: Batch;
  needsPerson: PermissionNeeded | null;
  after: NonNullable<CallOutcome['after']> | null;
  /** A person refused a call, and with it the rest of the turn. */
  ends: boolean;
};

const SKIPPED = 'Not run: the user sent a new message first. Read it, then decide whether this call is still needed.';
const NOT_ASKED = 'Not run: an earlier call of this batch needs a person and nobody can be asked.';
const STOPPED = 'Not run: the turn was stopped by the user.';

/**
 * Runs the calls of one answer, in parallel where the harness schedules so. Each result is written as soon as all
 * before it are, so the log has them in call order and a crash loses as little as possible.
 */
export async function runBatch(
  assistant: EventOf<'assistant'>,
  calls: readonly CallPart[],
  scope: CallScope,
  steered: () => boolean,
): Promise<BatchEnd> {
  const { parallel, onSteer, identicalCallsOnce } = scope.parts.harness.schedule;
  const outcomes: CallOutcome[] = [];
  const write = (call: CallPart, outcome: CallOutcome): void => {
    outcomes.push(outcome);
    writeResult(assistant, call, outcome, scope);
  };
  if (parallel) {
    const once = identicalCallsOnce ? firstOfEach(calls) : new Map<CallPart, CallPart>();
    await runTogether(calls, scope, write, once);
  } else {
    for (const call of calls) {
      const halted = haltedBy(outcomes, onSteer === 'skip-rest' && outcomes.length > 0 && steered(), scope.signal);
      write(call, halted ?? (await admitAndRun(call, scope)));
    }
  }
  return {
    batch: {
      assistant: assistant.id,
      results: calls.map((call, index) => ({
        call: { id: call.id, name: call.name, arguments: call.arguments },
        status: outcomes[index]?.status ?? 'aborted',
        touched: outcomes[index]?.touched ?? [],
        observed: outcomes[index]?.observed ?? [],
      })),
    },
    needsPerson: outcomes.find((outcome) => outcome.needsPerson !== undefined)?.needsPerson ?? null,
    after: outcomes.find((outcome) => outcome.after !== undefined)?.after ?? null,
    ends: outcomes.some((outcome) => outcome.ends === true),
  };
}

async function admitAndRun(call: CallPart, scope: CallScope): Promise<CallOutcome> {
  const entry = await admitCall(call, scope);
  return 'outcome' in entry ? entry.outcome : await runCall(entry.admitted, scope);
}

/**
 * Admits the calls one after the other, so that a person is asked one thing at a time, and runs each as soon as it is
 * admitted. Calls that write to the same path wait for the one before to be written to the log, so that each judges
 * the file by what that one left. What needs a person nobody can ask ends the batch: the calls after it are not run.
 */
async function runTogether(
  calls: readonly CallPart[],
  scope: CallScope,
  write: (call: CallPart, outcome: CallOutcome) => void,
  /** Of a call that is the same as an earlier one: that one, whose result it shares. */
  once: ReadonlyMap<CallPart, CallPart>,
): Promise<void> {
  const lastWriter = new Map<string, Promise<void>>();
  let written: Promise<void> = Promise.resolve();
  const barred: CallOutcome[] = [];
  const results = new Map<CallPart, Promise<CallOutcome>>();
  const start = ({ admitted }: { admitted: Admitted }, paths: readonly string[]): Promise<CallOutcome> =>
    Promise.all(paths.map((path) => lastWriter.get(path) ?? Promise.resolve())).then(() => runCall(admitted, scope));
  for (const call of calls) {
    const same = results.get(once.get(call) ?? call);
    if (same !== undefined) {
      written = Promise.all([same, written]).then(([result]) => write(call, { ...result, events: [] }));
      written.catch(() => undefined);
      continue;
    }
    const halted = haltedBy(barred, false, scope.signal);
    const entry = halted === null ? await admitCall(call, scope) : { outcome: halted };
    if ('outcome' in entry) barred.push(entry.outcome);
    const paths = 'outcome' in entry ? [] : waitsFor(entry.admitted);
    const outcome = 'outcome' in entry ? Promise.resolve(entry.outcome) : start(entry, paths);
    results.set(call, outcome);
    written = Promise.all([outcome, written]).then(([result]) => write(call, result));
    // A rejection is met at the end; until then it must not count as unhandled.
    written.catch(() => undefined);
    for (const path of paths) lastWriter.set(path, written);
  }
  await written;
}

/** Calls of the same tool with the same arguments, however these are written: each with the first of them. */
function firstOfEach(calls: readonly CallPart[]): Map<CallPart, CallPart> {
  const first = new Map<string, CallPart>();
  const same = new Map<CallPart, CallPart>();
  for (const call of calls) {
    const key = callKey(call);
    const known = first.get(key);
    if (known === undefined) first.set(key, call);
    else same.set(call, known);
  }
  return same;
}

/** What a call has to itself while it runs: the paths that it writes, and what of the session it changes. */
function waitsFor({ subjects, executor }: Admitted): string[] {
  return [...writtenPaths(subjects), ...(executor.inTurn === undefined ? [] : [`in turn: ${executor.inTurn}`])];
}

function haltedBy(outcomes: readonly CallOutcome[], steered: boolean, signal: AbortSignal): CallOutcome | null {
  if (signal.aborted) return refused(STOPPED, 'aborted');
  if (outcomes.some((outcome) => outcome.needsPerson !== undefined)) return refused(NOT_ASKED, 'aborted');
  if (steered) return refused(SKIPPED, 'aborted');
  return null;
}

function writeResult(assistant: EventOf<'assistant'>, call: CallPart, outcome: CallOutcome, scope: CallScope): void {
  const { log, harness } = scope.parts;
  for (const event of outcome.events) log.append(event);
  const hasRun = outcome.touched !== undefined;
  log.append({
    type: 'tool-result',
    call: { assistant: assistant.id, id: call.id },
    tool: call.name,
    parts: hasRun ? outcome.parts : (harness.unrun?.(outcome.parts) ?? outcome.parts),
    status: outcome.status,
    observed: outcome.observed,
    ...(outcome.spill === undefined ? {} : { spill: outcome.spill }),
  });
}
