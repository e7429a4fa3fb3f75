import { type EventBody, isText, type Part, type ToolFailure, type TransientEvent, type Turn } from '../model/index.ts';
import type { ToolFace } from '../tools/contract/index.ts';
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
  /** Nobody can be asked: the run ends here, for this reason. */
  needsPerson?: PermissionNeeded;
};

export type CallScope = {
  parts: AgentParts;
  turn: Turn;
  faces: readonly ToolFace[];
  /** The event that holds the calls. */
  assistant: string;
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
