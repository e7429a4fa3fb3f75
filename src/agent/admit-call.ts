import { HARNESS_EXECUTOR } from '../harness/contract/index.ts';
import type { Call, CallPart, Subject } from '../model/index.ts';
import type { Verdict } from '../permissions/index.ts';
import type { Executor, ToolFace } from '../tools/contract/index.ts';
import { askPermission } from './ask-permission.ts';
import { type CallOutcome, type CallScope, failed, refused } from './call-outcome.ts';
import { TurnError } from './error.ts';
import { ANSWERED_BY_HARNESS } from './invoke-harness.ts';

/** A call that may run now. */
export type Admitted = {
  call: Call;
  /** The arguments as received. */
  given: string;
  face: ToolFace;
  executor: Executor<unknown, unknown>;
  subjects: readonly Subject[];
  /** As `Verdict` has them. */
  places: readonly string[] | null;
};

/** Parses, gates and judges one call, and asks a person where that is needed. In this order: face, gate, permission. */
export async function admitCall(
  part: CallPart,
  scope: CallScope,
): Promise<{ admitted: Admitted } | { outcome: CallOutcome }> {
  const face = scope.faces.find(({ name }) => name === part.name);
  if (face === undefined) return { outcome: refused(unknownTool(part.name, scope.faces), 'error') };
  const parsed = face.toCall(part.id, part.arguments);
  if ('error' in parsed) return { outcome: failed(parsed.error, face, scope) };
  const { call } = parsed;
  const executor =
    call.executor === HARNESS_EXECUTOR
      ? ANSWERED_BY_HARNESS
      : ((await scope.parts.executors()).get(call.executor) as Executor<unknown, unknown> | undefined);
  if (executor === undefined) {
    throw new TurnError('turn/tool-missing', `the tool ${call.executor} of this harness has no executor`, {
      data: { call },
    });
  }
  const subjects = executor.subjects(call.args, scope.turn.world.cwd);
  const verdict = await judge(call, executor, subjects, scope);
  if (verdict.verdict === 'deny') return { outcome: refused(verdict.why, 'denied') };
  const barred = verdict.verdict === 'ask' ? await askPermission({ call, subjects, verdict }, scope) : null;
  if (barred !== null) return { outcome: barred };
  return { admitted: { call, given: part.arguments, face, executor, subjects, places: verdict.places } };
}

function unknownTool(name: string, faces: readonly ToolFace[]): string {
  const offered = faces.map((face) => face.name).join(', ');
  return `There is no tool named ${JSON.stringify(name.slice(0, 200))}. Tools: ${offered === '' ? 'none' : offered}.`;
}

async function judge(
  call: Call,
  { effect }: Executor<unknown, unknown>,
  subjects: readonly Subject[],
  { parts, turn, calls }: CallScope,
): Promise<Verdict> {
  const gate = parts.harness.gate(call, turn, calls - 1);
  if (typeof gate === 'object' && 'deny' in gate) return { verdict: 'deny', why: gate.deny };
  const verdict = await parts.judge({ mode: parts.permissionMode, call, effect, subjects, cwd: turn.world.cwd });
  if (gate === 'pass' || verdict.verdict !== 'allow') return verdict;
  const why = typeof gate === 'object' ? gate.ask : `${call.name} needs a person's approval.`;
  return { verdict: 'ask', why, rules: [], beforehand: null, places: verdict.places };
}
