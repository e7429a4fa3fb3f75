import type { Call, CallPart, EventBody, Part, ToolFailure, TransientEvent, Turn } from '../model/index.ts';
import { isText } from '../model/index.ts';
import type { AnyExecutor, Executor, ToolContext, ToolFace, ToolOutcome } from '../tools/contract/index.ts';
import { TurnError } from './error.ts';
import { MaskedProgress } from './masked-progress.ts';
import type { AgentParts } from './parts.ts';

export type CallStatus = 'ok' | 'error' | 'denied' | 'aborted';

/** What became of one call: the result for the model, and what else its executor wants written. */
export type CallOutcome = {
  parts: Part[];
  status: CallStatus;
  observed: Extract<EventBody, { type: 'tool-result' }>['observed'];
  spill?: string;
  events: readonly EventBody[];
  /** Nobody can be asked: the run ends here, for this reason. */
  needsPerson?: string;
};

export type CallScope = {
  parts: AgentParts;
  turn: Turn;
  faces: readonly ToolFace[];
  signal: AbortSignal;
  emit(event: TransientEvent): void;
};

export function refused(text: string, status: CallStatus): CallOutcome {
  return { parts: [{ type: 'text', text }], status, observed: [], events: [] };
}

/** Parses, gates, judges and runs one call, and words its result. Order: face, gate, permission, run, finish, mask. */
export async function runCall(part: CallPart, scope: CallScope): Promise<CallOutcome> {
  const face = scope.faces.find(({ name }) => name === part.name);
  if (face === undefined) return refused(unknownTool(part.name, scope.faces), 'error');
  const parsed = face.toCall(part.id, part.arguments);
  if ('error' in parsed) return failed(parsed.error, face, scope);
  const { call } = parsed;
  const executor = (await scope.parts.executors()).get(call.executor);
  if (executor === undefined) {
    throw new TurnError('turn/tool-missing', `the tool ${call.executor} of this harness has no executor`, {
      data: { call },
    });
  }
  const barred = await judge(call, executor, scope);
  if (barred !== null) return barred;
  if (scope.signal.aborted) return refused('Not run: the turn was stopped by the user.', 'aborted');
  const outcome = await execute(call, executor as Executor<unknown, unknown>, scope);
  return word(call, outcome, face, executor.effect, scope);
}

/** The paths that a call would write to, empty where it cannot be understood. */
export async function writtenPaths(part: CallPart, scope: CallScope): Promise<string[]> {
  const parsed = scope.faces.find(({ name }) => name === part.name)?.toCall(part.id, part.arguments);
  if (parsed === undefined || 'error' in parsed) return [];
  const executor = (await scope.parts.executors()).get(parsed.call.executor) as Executor<unknown, unknown> | undefined;
  const subjects = executor?.subjects(parsed.call.args, scope.turn.world.cwd) ?? [];
  return subjects.flatMap((subject) => (subject.type === 'path' && subject.access === 'write' ? [subject.path] : []));
}

function unknownTool(name: string, faces: readonly ToolFace[]): string {
  const offered = faces.map((face) => face.name).join(', ');
  return `There is no tool named ${JSON.stringify(name.slice(0, 200))}. Tools: ${offered === '' ? 'none' : offered}.`;
}

async function judge(call: Call, executor: AnyExecutor, scope: CallScope): Promise<CallOutcome | null> {
  const gate = scope.parts.harness.gate(call, scope.turn);
  if (typeof gate === 'object') return refused(gate.deny, 'denied');
  const subjects = (executor as Executor<unknown, unknown>).subjects(call.args, scope.turn.world.cwd);
  const verdict = await scope.parts.judge({
    mode: scope.parts.permissionMode,
    call,
    effect: executor.effect,
    subjects,
    cwd: scope.turn.world.cwd,
  });
  if (verdict.verdict === 'deny') return refused(verdict.why, 'denied');
  if (gate === 'ask' || verdict.verdict === 'ask') {
    const why = verdict.verdict === 'ask' ? verdict.why : `${call.name} needs a person's approval`;
    return { ...refused(`Not run: ${why}, and nobody can be asked in this run.`, 'denied'), needsPerson: why };
  }
  return null;
}

async function execute(
  call: Call,
  executor: Executor<unknown, unknown>,
  scope: CallScope,
): Promise<ToolOutcome<unknown>> {
  const { parts } = scope;
  const progress = new MaskedProgress(parts.mask.output, (text) =>
    scope.emit({ type: 'tool-output-delta', id: call.id, text }),
  );
  const context: ToolContext = {
    host: parts.host,
    cwd: scope.turn.world.cwd,
    state: parts.log.state(),
    signal: scope.signal,
    progress: (chunk) => progress.push(chunk),
    limits: parts.limits,
    childEnv: parts.childEnv,
    spillDirectory: parts.spillDirectory,
  };
  try {
    return await executor.run(call.args, context);
  } catch (error) {
    // An executor promises not to throw; if it does, the model is told and the run goes on.
    const message = error instanceof Error ? error.message : String(error);
    return { error: { code: 'tool/failed', message: `${call.name} failed: ${message}` }, observed: [] };
  } finally {
    progress.flush();
  }
}

function word(
  call: Call,
  outcome: ToolOutcome<unknown>,
  face: ToolFace,
  effect: AnyExecutor['effect'],
  scope: CallScope,
): CallOutcome {
  const worded = scope.parts.harness.finish(call, face.toParts(outcome, scope.turn), scope.turn);
  const failure = 'error' in outcome;
  const loose = failure || effect === 'execute' || effect === 'network';
  return {
    parts: worded.map((part) => maskPart(part, loose ? scope.parts.mask.output : scope.parts.mask.keys)),
    status: scope.signal.aborted && failure ? 'aborted' : failure ? 'error' : 'ok',
    observed: outcome.observed,
    ...(outcome.spill === undefined ? {} : { spill: outcome.spill }),
    events: outcome.events ?? [],
  };
}

function failed(error: ToolFailure, face: ToolFace, scope: CallScope): CallOutcome {
  const parts = face.toParts({ error, observed: [] }, scope.turn);
  return {
    parts: parts.map((part) => maskPart(part, scope.parts.mask.output)),
    status: 'error',
    observed: [],
    events: [],
  };
}

function maskPart(part: Part, mask: (text: string) => string): Part {
  if (!isText(part)) return part;
  const text = mask(part.text);
  return text === part.text ? part : { type: 'text', text };
}
