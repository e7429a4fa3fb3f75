import { type Diagnostic, messageOf } from '../base/index.ts';
import { HARNESS_EXECUTOR } from '../harness/contract/index.ts';
import { type Call, type Subject, takesImages } from '../model/index.ts';
import type { ToolContext, ToolOutcome } from '../tools/contract/index.ts';
import type { Admitted } from './admit-call.ts';
import { callMark } from './call-mark.ts';
import { type CallOutcome, type CallScope, maskPart, refused } from './call-outcome.ts';
import type { PermissionNeeded } from './error.ts';
import { invokeHarness } from './invoke-harness.ts';
import { MaskedProgress } from './masked-progress.ts';
import { questionPort } from './question-port.ts';
import { takeImage } from './take-image.ts';
import { keepsOutput } from './tasks/spooled-command.ts';

/** Runs an admitted call and words its result. Order: run, face, finish, mask. */
export async function runCall(admitted: Admitted, scope: CallScope): Promise<CallOutcome> {
  if (scope.signal.aborted) return refused('Not run: the turn was stopped by the user.', 'aborted');
  if (admitted.call.executor === HARNESS_EXECUTOR) return invokeHarness(admitted, scope);
  if (admitted.executor.effect !== 'execute') {
    const outcome = await outcomeOf(admitted, scope);
    await scope.parts.protectedFiles.accept(writtenPaths(admitted.subjects));
    return outcome;
  }
  const changedSince = await scope.parts.protectedFiles.watch();
  const outcome = await outcomeOf(admitted, scope);
  return tellChanges(outcome, await changedSince(), scope);
}

async function outcomeOf(admitted: Admitted, scope: CallScope): Promise<CallOutcome> {
  let needed: PermissionNeeded | undefined;
  const outcome = await execute(admitted, scope, (why) => {
    needed = why;
  });
  const worded = word(admitted, outcome, scope);
  return needed === undefined ? worded : { ...worded, needsPerson: needed };
}

/** The paths that a call writes to. */
export function writtenPaths(subjects: readonly Subject[]): string[] {
  return subjects.flatMap((subject) => (subject.type === 'path' && subject.access === 'write' ? [subject.path] : []));
}

async function execute(
  { call, executor, places }: Admitted,
  scope: CallScope,
  needsPerson: (needed: PermissionNeeded) => void,
): Promise<ToolOutcome<unknown>> {
  const { parts } = scope;
  const progress = new MaskedProgress(parts.mask.output, (text) =>
    scope.emit({ type: 'tool-output-delta', id: call.id, text }),
  );
  const { host } = parts;
  const context: ToolContext = {
    // What is opened is compared with what was judged: a link put in between leads nowhere.
    host: places === null ? host : { ...host, files: host.files.within(places) },
    cwd: scope.turn.world.cwd,
    state: parts.log.state(),
    known: scope.turn.session,
    signal: scope.signal,
    progress: (chunk) => progress.push(chunk),
    limits: parts.limits,
    mark: callMark(parts.log.id, scope.assistant, call.id),
    childEnv: parts.childEnv,
    mask: parts.mask.output,
    ask: questionPort(scope, call.id),
    tasks: scope.beside.tasks(),
    agents: scope.beside.agents({ turn: scope.turn, signal: scope.signal, needsPerson }),
    mayRead: async (path) => places?.includes(path) === true || mayRead(path, call, scope),
    spillDirectory: parts.spillDirectory,
    ...(scope.turn.model !== null && takesImages(scope.turn.model)
      ? { takeImage: (bytes: Uint8Array) => takeImage(parts, bytes) }
      : {}),
  };
  try {
    return await executor.run(call.args, context);
  } catch (error) {
    // An executor promises not to throw; if it does, the model is told and the run goes on.
    return { error: { code: 'tool/failed', message: `${call.name} failed: ${messageOf(error)}` }, observed: [] };
  } finally {
    progress.flush();
  }
}

/** What a search came upon beside what its call names, which was judged already: nobody is asked for it. */
async function mayRead(path: string, call: Call, { parts, turn }: CallScope): Promise<boolean> {
  const subjects: Subject[] = [{ type: 'path', path, access: 'read' }];
  const { cwd } = turn.world;
  const { verdict } = await parts.judge({ mode: parts.permissionMode, call, effect: 'read', subjects, cwd });
  return verdict === 'allow';
}

/** Files and directories that a call was about. */
function touchedPaths(subjects: readonly Subject[]): string[] {
  return subjects.flatMap((subject) => (subject.type === 'path' ? [subject.path] : []));
}

function word(
  { call, given, face, executor, subjects, places }: Admitted,
  outcome: ToolOutcome<unknown>,
  scope: CallScope,
): CallOutcome {
  const { effect } = executor;
  const worded = scope.parts.harness.finish(call, face.toParts(outcome, scope.turn, call), scope.turn, given);
  const failure = 'error' in outcome;
  const touched = touchedPaths(subjects);
  // What a command left in a file is its output still.
  const ofCommand = effect === 'execute' || [...touched, ...(places ?? [])].some(keepsOutput);
  const loose = failure || ofCommand || effect === 'network';
  return {
    parts: worded.map((part) => maskPart(part, loose ? scope.parts.mask.output : scope.parts.mask.keys)),
    status: scope.signal.aborted && failure ? 'aborted' : failure ? 'error' : 'ok',
    observed: outcome.observed,
    ...(outcome.spill === undefined ? {} : { spill: outcome.spill }),
    touched,
    events: outcome.events ?? [],
    ...(outcome.after === undefined ? {} : { after: outcome.after }),
  };
}

/** A person is told at once, the model in the result. What was read at the start stays in force either way. */
function tellChanges(outcome: CallOutcome, changes: readonly Diagnostic[], { parts }: CallScope): CallOutcome {
  if (changes.length === 0) return outcome;
  for (const diagnostic of changes) parts.log.note({ type: 'notice', diagnostic });
  const paths = changes.map(({ path }) => path ?? '').join(', ');
  const text = `\nWhile this command ran or since the one before, protected files changed: ${paths}. The user has been told. This session keeps the rules it began with.`;
  return { ...outcome, parts: [...outcome.parts, { type: 'text', text }] };
}
