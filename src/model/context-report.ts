import type { Diagnostic } from '../base/index.ts';
import type { Origin, PieceKind, Placement, Trigger } from './piece.ts';
import type { JsonSchema } from './tool.ts';
import type { Wire } from './wire.ts';

/** UTF-8 bytes [start, end) of one text of the request: 'system', 'messages/3/content/0', 'tools/2/description'. */
export type PieceSpan = { in: string; start: number; end: number };

export type ReportedPiece = {
  id: string;
  kind: PieceKind;
  origin: Origin;
  placement: Placement;
  trigger: Trigger | null;
  rule: string;
  requirement?: string;
  /** pending: it will be sent with the next prompt. skipped: found and not sent, for `reason`. */
  status: 'sent' | 'pending' | 'truncated' | 'skipped';
  reason: string | null;
  bytes: number;
  tokens: number;
  tokenMethod: string;
  sha256: string;
  at: PieceSpan[];
  fragments: { start: number; end: number; path: string }[];
};

export type ReportedSearch = {
  kind: string;
  directory: string;
  looked: readonly string[];
  took: string | null;
  why: string;
};

/** `rein context --json`: what the model would be sent, or was sent. */
export type ContextReport = {
  harness: string;
  /** The one in force; null: the harness has none, or a stored request does not say. */
  facet: string | null;
  model: string | null;
  wire: Wire;
  cwd: string;
  projectRoot: string | null;
  /** Exactly as sent. */
  system: string;
  /** In the wire's own shape, the system message left out. */
  messages: unknown[];
  tools: { name: string; description: string; schema: JsonSchema }[];
  pieces: ReportedPiece[];
  searched: ReportedSearch[];
  diagnostics: Diagnostic[];
  /** Values that a preview cannot know. */
  placeholders: { name: string; value: string; why: string }[];
  totals: {
    bytes: number;
    tokens: number;
    systemBytes: number;
    historyBytes: number;
    toolBytes: number;
  };
};

export type ContextDifference = {
  left: string;
  right: string;
  added: ReportedPiece[];
  gone: ReportedPiece[];
  /** The same piece in another place. */
  moved: { id: string; from: Placement; to: Placement; bytes: number }[];
  /** The same piece with other bytes. */
  changed: { id: string; leftBytes: number; rightBytes: number }[];
  unchanged: number;
  bytes: { left: number; right: number };
};
