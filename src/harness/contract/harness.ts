import type {
  Batch,
  Call,
  Composition,
  HarnessSettings,
  Laid,
  Needs,
  Part,
  Piece,
  Reminder,
  SessionState,
  SourceQuery,
  Turn,
  Wire,
  WireShape,
} from '../../model/index.ts';
import type { ToolFace } from '../../tools/contract/index.ts';

export type SourcesRequest = {
  settings: HarnessSettings;
  session: SessionState;
  typed?: string;
  batch?: Batch;
};

export type Expansion = { parts: Part[]; reminders: Reminder[] };

/**
 * A policy: which text reaches the model, in which place, and what becomes of it. Every function is pure: equal
 * arguments, equal results, bytes included. It reads no file, calls no network, holds no state.
 */
export interface Harness {
  readonly name: string;
  readonly wires: Readonly<Record<Wire, { accepted: true; shape: WireShape } | { accepted: false; error: string }>>;
  readonly schedule: {
    parallel: boolean;
    identicalCallsOnce: boolean;
    onSteer: 'skip-rest' | 'after-batch';
  };
  /** What it wants to know of the disk. Asked at every look: the answer may depend on the session. */
  sources(request: SourcesRequest): readonly SourceQuery[];
  /** What the typed text becomes (skills, templates, references). */
  expand(typed: string, turn: Turn): Expansion | Needs;
  /** Before every model request, and for every preview. */
  compose(turn: Turn): Composition | Needs;
  /** All it could offer; narrowing is the driver's. Order is the order of the request. */
  tools(turn: Omit<Turn, 'tools'>): readonly ToolFace[];
  /** Judged before the permissions are. */
  gate(call: Call, turn: Turn): 'pass' | 'ask' | { deny: string };
  /** Wrapping, notes on repeated calls: before the event is written. */
  finish(call: Call, parts: Part[], turn: Turn): Part[];
  afterBatch(turn: Turn, batch: Batch): readonly Reminder[];
  /** How a message of the program itself is marked for the model. */
  notice(piece: Piece): Laid;
  /** A reason to end the turn now, or null. */
  stop(turn: Turn): string | null;
}
