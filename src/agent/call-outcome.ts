import { type EventBody, isText, type Part, type ToolFailure, type TransientEvent, type Turn } from '../model/index.ts';
import type { AgentPort, TaskPort, ToolFace, ToolOutcome } from '../tools/contract/index.ts';
import type { PermissionNeeded } from './error.ts';
import type { AgentParts } from './parts.ts';

export type CallStatus = 'ok' | 'error' | 'denied' | 'aborted';

/** What became of one call: the result for the model, and what else its executor wants written. */
export type CallOutcome = {
  parts: Part[];
  status: CallStatus;
  observed: Extract<EventBody, { type: 'tool-result' }>['observed'];
  spill?: string;
  /** Absolute paths that the call was about; absent: it did not run. */
  touched?: readonly string[];
  events: readonly EventBody[];
  /** What becomes of the conversation after the batch. */
  after?: NonNullable<ToolOutcome<unknown>['after']>;
  /** A person refused it, and waits for nothing more: the turn ends with this batch. */
  ends?: true;
  /** Nobody can be asked: the run ends here, for this reason. */
  needsPerson?: PermissionNeeded;
};

/** Of one session: what runs beside its conversation. */
export type BesidePorts = { tasks(): TaskPort; agents(call: AgentCall): AgentPort };

/** On whose behalf an agent is started; `needsPerson`: told where its run ended for want of one. */
export type AgentCall = { turn: Turn; signal: AbortSignal; needsPerson(needed: PermissionNeeded): void };

export type CallScope = {
  beside: BesidePorts;
  parts: AgentParts;
  turn: Turn;
  faces: readonly ToolFace[];
  /** The event that holds the calls, and how many these are. */
  assistant: string;
  calls: number;
  signal: AbortSignal;
  emit(event: TransientEvent): void;
};

export function refused(text: string, status: CallStatus): CallOutcome {
  return { parts: [{ type: 'text', text }], status, observed: [], events: [] };
}

/** A failure that came before the executor, in the face's words. */
export function failed(error: ToolFailure, face: ToolFace, scope: CallScope): CallOutcome {
  const parts = face.toParts({ error, observed: [] }, scope.turn);
  const masked = parts.map((part) => maskPart(part, scope.parts.mask.output));
  return { parts: masked, status: 'error', observed: [], events: [] };
}

export function maskPart(part: Part, mask: (text: string) => string): Part {
  if (!isText(part)) return part;
  const text = mask(part.text);
  return text === part.text ? part : { type: 'text', text };
}
