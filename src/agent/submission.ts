import type { Diagnostic } from '../base/index.ts';
import {
  type Composition,
  isText,
  type Part,
  type PieceRef,
  type Reminder,
  type Turn,
  type World,
} from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';
import { beginTurn, carryOnTurn, type Equipped, lookAround } from './begin-turn.ts';
import { maskPart } from './call-outcome.ts';
import { answerNeeds, composeTurn, foundMeanwhile } from './compose-turn.ts';
import type { ActiveModel, AgentParts } from './parts.ts';
import { recordChoices, withRunChoices } from './run-choices.ts';

/** What one model request is made of; the conversation itself is in the log. */
export type Prepared = {
  turn: Turn;
  composition: Composition;
  faces: readonly ToolFace[];
  /** The session's own, or what the facet in force asks for. */
  model: ActiveModel;
  effort: string | null;
  /** What was looked at of the harness's sources, without what the instructions referred to. */
  looked: World;
  diagnostics: readonly Diagnostic[];
};

/** What is to be told beside what the harness finds due, once the turn is known. */
export type MoreReminders = (turn: Turn) => Promise<readonly Reminder[]>;

const NO_MORE: MoreReminders = async () => [];

export type PromptInput = { text: string; parts?: readonly Part[]; from: 'user' | 'queue' | 'steer' | 'parent' };

/** When a conversation with a person, taken up again in a later run, last went on. */
function lastWord(log: SessionLog): string | null {
  if (log.header.spawnedBy !== null) return null;
  return log.recent().findLast(({ type }) => type === 'assistant' || type === 'turn-end')?.time ?? null;
}

/** Writes what a composition found due: frozen values, the chain's membership, the reminders before the prompt. */
function writeDue(log: SessionLog, composition: Composition): void {
  const { pins } = log.state();
  for (const { name, value } of composition.pins) if (pins[name] !== value) log.append({ type: 'pin', name, value });
  writeReminders(log, composition.reminders.beforePrompt);
  // After what it stands for: a crash in between repeats a delivery, the other order would lose it.
  if (composition.chain !== null) log.append({ type: 'chain', paths: [...composition.chain] });
}

export function writeReminders(log: SessionLog, reminders: readonly Reminder[]): void {
  for (const { reason, key, alone, layout, omitted } of reminders) {
    log.append({
      type: 'reminder',
      reason,
      ...(key === undefined ? {} : { key }),
      ...(alone === undefined ? {} : { alone }),
      layout: log.toLayout(layout),
      ...(omitted === undefined ? {} : { omitted: omittedPieces(log, omitted) }),
    });
  }
}

/** References to pieces that did not go out; the log keeps them all the same. */
function omittedPieces(log: SessionLog, omitted: NonNullable<Reminder['omitted']>): { piece: PieceRef; why: string }[] {
  const layout = log.toLayout(omitted.map(({ piece }) => ({ piece, trigger: 'context-reset' as const })));
  return layout.flatMap((item, index) =>
    'piece' in item ? [{ piece: item.piece, why: omitted[index]?.why ?? '' }] : [],
  );
}

/** What a person types or pipes in may hold our own keys, as `env | rein -p` does. */
function withoutKeys(input: PromptInput, { mask }: Pick<AgentParts, 'mask'>): PromptInput {
  const { text, parts, from } = input;
  const masked = parts?.map((part) => maskPart(part, mask.keys));
  return { text: mask.keys(text), from, ...(masked === undefined ? {} : { parts: masked }) };
}

function writePrompt(log: SessionLog, input: PromptInput, expanded: readonly Part[]): void {
  const parts = [...expanded, ...(input.parts ?? [])];
  const [only] = parts;
  const plain = parts.length === 1 && only !== undefined && isText(only) && only.pieces === undefined;
  const text = parts.filter(isText).map((part) => part.text);
  log.append({
    type: 'prompt',
    text: text.join('\n'),
    ...(text.join('\n') === input.text ? {} : { typed: input.text }),
    ...(plain ? {} : { parts }),
    from: input.from,
  });
}

/**
 * The start of a turn: discover, compose, then write what this run was started with, the chain reminder, the user's
 * message and what it caused, in that order; nothing before all of it is known to work. World, time, model and tools of
 * this moment are the submission's. A preview runs it on a scratch log.
 */
export async function openSubmission(
  parts: AgentParts,
  log: SessionLog,
  typed: PromptInput,
  moment: 'startup' | 'turn',
  more: MoreReminders = NO_MORE,
): Promise<Prepared> {
  const input = withoutKeys(typed, parts);
  const session = withRunChoices(parts, log.state());
  const world = await lookAround(parts, session, moment, input.text);
  const equipped = await beginTurn(parts, session, world, 'prompt');
  const resumed = moment === 'startup' ? lastWord(log) : null;
  const turn: Turn = resumed === null ? equipped.turn : { ...equipped.turn, resumed: { since: resumed } };
  const expansion = await answerNeeds((now) => parts.harness.expand(input.text, now), turn, parts);
  const { answer: expanded } = expansion;
  const prompt = [...expanded.parts, ...(input.parts ?? [])];
  const composed = await composeTurn(parts.harness, { ...turn, prompt }, parts);
  const { composition } = composed;
  const told = await more(composed.turn);
  recordChoices(parts, log);
  writeDue(log, composition);
  writeReminders(log, told);
  writePrompt(log, input, expanded.parts);
  writeReminders(log, [...expanded.reminders, ...composition.reminders.afterPrompt]);
  const found = foundMeanwhile(expansion, turn);
  return prepared(equipped, composed, [...found, ...(expanded.diagnostics ?? [])]);
}

/** The start of a turn without a message of a person: what is to be told is all there is to answer. */
export async function openUnprompted(
  parts: AgentParts,
  log: SessionLog,
  moment: 'startup' | 'turn',
  more: MoreReminders,
): Promise<Prepared> {
  const session = withRunChoices(parts, log.state());
  const world = await lookAround(parts, session, moment);
  const equipped = await beginTurn(parts, session, world, 'notification');
  const composed = await composeTurn(parts.harness, equipped.turn, parts);
  const told = await more(composed.turn);
  recordChoices(parts, log);
  writeDue(log, composed.composition);
  writeReminders(log, [...told, ...composed.composition.reminders.afterPrompt]);
  return prepared(equipped, composed);
}

/** Before each further request of the same turn: what is due is discovered and composed again. */
export async function continueSubmission(
  parts: AgentParts,
  log: SessionLog,
  previous: Prepared,
  reason: 'batch' | 'steer' | 'compaction',
  more: MoreReminders = NO_MORE,
): Promise<Prepared> {
  const session = log.state();
  const world = await lookAround(parts, session, 'request');
  const equipped = await carryOnTurn(parts, previous.turn, session, world, reason);
  const composed = await composeTurn(parts.harness, equipped.turn, parts);
  const told = await more(composed.turn);
  writeDue(log, composed.composition);
  writeReminders(log, [...composed.composition.reminders.afterPrompt, ...told]);
  return prepared(equipped, composed);
}

/** Messages that came while the turn ran: each becomes what a prompt of the same text would. Returns what to tell. */
export async function writeSteers(
  parts: AgentParts,
  log: SessionLog,
  previous: Prepared,
  steers: readonly PromptInput[],
): Promise<readonly Diagnostic[]> {
  const told: Diagnostic[] = [];
  for (const steer of steers) {
    const input = withoutKeys(steer, parts);
    const session = log.state();
    const world = await lookAround(parts, session, 'request', input.text);
    const turn: Turn = { ...previous.turn, world, session, reason: 'steer' };
    const expansion = await answerNeeds((now) => parts.harness.expand(input.text, now), turn, parts);
    const { answer } = expansion;
    writePrompt(log, input, answer.parts);
    writeReminders(log, answer.reminders);
    told.push(...expansion.turn.world.diagnostics, ...(answer.diagnostics ?? []));
  }
  return told;
}

function prepared(
  { turn, faces, used }: Equipped,
  composed: { composition: Composition; turn: Turn },
  more: readonly Diagnostic[] = [],
): Prepared {
  return {
    turn: composed.turn,
    composition: composed.composition,
    faces,
    model: used.model,
    effort: used.effort,
    looked: turn.world,
    diagnostics: [...used.diagnostics, ...more],
  };
}
