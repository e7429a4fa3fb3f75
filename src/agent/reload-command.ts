import type { Diagnostic } from '../base/index.ts';
import type { World } from '../model/index.ts';
import { beginTurn, lookAround } from './begin-turn.ts';
import { answerNeeds } from './compose-turn.ts';
import { recordChoices, withRunChoices } from './run-choices.ts';
import type { CommandScope, CommandValue } from './session-commands.ts';
import { writeReminders } from './submission.ts';
import { changesBetween } from './world-changes.ts';

/** Faults that the answer lists; all of them are told as events. */
const MAX_LISTED = 100;

/**
 * Reads every source anew and says what changed since they were last seen in this run, by kind of source. What the
 * harness has to say of it goes into the conversation at once.
 */
export async function reload(scope: CommandScope): Promise<CommandValue> {
  const { parts } = scope;
  const { log, harness } = parts;
  parts.world.reload();
  const session = withRunChoices(parts, log.state());
  const world = await lookAround(parts, session, 'startup');
  const before = scope.looked();
  scope.reloaded(world);
  const diagnostics = [...world.diagnostics, ...(await speak(scope, world))];
  const all = withoutRepeats(diagnostics);
  for (const diagnostic of all) scope.tell(diagnostic);
  const failed = all.filter(({ severity }) => severity === 'error');
  return {
    harness: harness.name,
    changed: before === null ? {} : changesBetween(before, world),
    diagnostics: all.length,
    failed: failed.slice(0, MAX_LISTED),
  };
}

async function speak({ parts }: CommandScope, world: World): Promise<readonly Diagnostic[]> {
  const { harness, log } = parts;
  const { reloaded } = harness;
  if (reloaded === undefined) return [];
  const { turn, used } = await beginTurn(parts, withRunChoices(parts, log.state()), world, 'notification');
  const { answer } = await answerNeeds((current) => reloaded.call(harness, current), turn, parts);
  if (answer.reminders.length > 0) recordChoices(parts, log);
  writeReminders(log, answer.reminders);
  return [...used.diagnostics, ...(answer.diagnostics ?? [])];
}

function withoutRepeats(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return [...new Map(diagnostics.map((diagnostic) => [JSON.stringify(diagnostic), diagnostic])).values()];
}
