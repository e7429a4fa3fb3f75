import {
  type Composition,
  isText,
  type Part,
  type Reminder,
  type SessionState,
  type Turn,
  type World,
  type WorldLook,
  workingDirectory,
} from '../model/index.ts';
import type { SessionLog } from '../session/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';

import { maskPart } from './call-outcome.ts';
import { answerNeeds, composeTurn } from './compose-turn.ts';
import { narrowTools, toToolSpec } from './narrow-tools.ts';
import type { AgentParts } from './parts.ts';

/** What one model request is made of; the conversation itself is in the log. */
export type Prepared = { turn: Turn; composition: Composition; faces: readonly ToolFace[] };

export type PromptInput = { text: string; parts?: readonly Part[]; from: 'user' | 'queue' | 'steer' | 'parent' };

async function lookAround(
  parts: AgentParts,
  state: SessionState,
  moment: WorldLook['moment'],
  typed?: string,
): Promise<World> {
  const settings = parts.settings(parts.harness.name);
  const queries = parts.harness.sources({ settings, session: state, ...(typed === undefined ? {} : { typed }) });
  return parts.world.look({ queries, cwd: workingDirectory(state), stack: state.directories, moment });
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
      ...(omitted === undefined ? {} : { omitted: [...omitted] }),
    });
  }
}

/** What a person types or pipes in may hold our own keys, as `env | rein -p` does. */
export function withoutKeys(input: PromptInput, { mask }: Pick<AgentParts, 'mask'>): PromptInput {
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
 * The start of a turn: discover, compose, then write the chain reminder, the user's message and what it caused, in
 * that order. World, time, model and tools of this moment are the submission's. A preview runs it on a scratch log.
 */
export async function openSubmission(
  parts: AgentParts,
  log: SessionLog,
  typed: PromptInput,
  moment: 'startup' | 'turn',
): Promise<Prepared> {
  const input = withoutKeys(typed, parts);
  const session = log.state();
  const world = await lookAround(parts, session, moment, input.text);
  const now = await parts.clock.now();
  const model = parts.model.info;
  const base = {
    world,
    session,
    model,
    settings: parts.settings(parts.harness.name),
    submission: { startedAt: now, world, model, tools: [] },
    now,
    agent: { role: 'root' as const },
    reason: 'prompt' as const,
  };
  const faces = narrowTools(parts.harness.tools(base), parts.onlyTools, session.narrowing);
  const tools = faces.map(toToolSpec);
  const turn: Turn = { ...base, tools, submission: { ...base.submission, tools } };
  const expansion = await answerNeeds((current) => parts.harness.expand(input.text, current), turn, parts);
  const expanded = expansion.answer;
  const { composition, turn: composed } = await composeTurn(
    parts.harness,
    { ...turn, prompt: [...expanded.parts, ...(input.parts ?? [])] },
    parts,
  );
  writeDue(log, composition);
  writePrompt(log, input, expanded.parts);
  writeReminders(log, [...expanded.reminders, ...composition.reminders.afterPrompt]);
  return { turn: composed, composition, faces };
}

/** Before each further request of the same turn: what is due is discovered and composed again. */
export async function continueSubmission(
  parts: AgentParts,
  log: SessionLog,
  previous: Prepared,
  reason: 'batch' | 'steer',
): Promise<Prepared> {
  const session = log.state();
  const world = await lookAround(parts, session, 'request');
  const { prompt: _answered, ...rest } = previous.turn;
  const base = { ...rest, world, session, now: await parts.clock.now(), reason };
  const faces = narrowTools(parts.harness.tools(base), parts.onlyTools, session.narrowing);
  const turn: Turn = { ...base, tools: faces.map(toToolSpec) };
  const { composition, turn: composed } = await composeTurn(parts.harness, turn, parts);
  writeDue(log, composition);
  writeReminders(log, composition.reminders.afterPrompt);
  return { turn: composed, composition, faces };
}
