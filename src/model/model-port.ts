import type { Message } from './message.ts';
import type { ModelInfo } from './model-info.ts';
import type { ProviderState } from './part.ts';
import type { StopReason } from './stop-reason.ts';
import type { ToolSpec } from './tool.ts';
import type { Usage } from './usage.ts';
import type { WireShape } from './wire.ts';

export type ModelRequest = {
  sessionId: string;
  purpose: 'turn' | 'compaction' | 'other';
  /** The subagent's name; absent: the root agent. */
  agent?: string;
  system: string;
  messages: readonly Message[];
  tools: readonly ToolSpec[];
  shape: WireShape;
  effort?: string;
  /**
   * With purpose 'compaction', of a port that compacts: the server is to answer with a state that stands for the whole
   * conversation, in `finish.opaque`.
   */
  native?: true;
  /** Base64 of a stored medium. */
  media(sha256: string): { mime: string; base64: string } | undefined;
};

/** Noun-verb; start, delta, end. */
export type ModelEvent =
  | { type: 'text-start' | 'text-end' | 'reasoning-start' }
  | { type: 'reasoning-end'; opaque?: ProviderState }
  | { type: 'text-delta' | 'reasoning-delta'; text: string }
  | { type: 'tool-input-start'; id: string; name: string }
  | { type: 'tool-input-delta'; id: string; text: string }
  /** `arguments` whole, as received. Executable only when `finish` follows with a stop other than 'length'. */
  | { type: 'tool-input-end'; id: string; name: string; arguments: string; opaque?: ProviderState }
  /** The same body is sent again after this wait. Anything streamed before is void. */
  | { type: 'retry-wait'; attempt: number; delayMs: number; why: string }
  | { type: 'finish'; stop: StopReason; usage: Usage; opaque?: ProviderState };

/** The body is fixed before anything is sent, so that it can be logged first. */
export type PreparedRequest = {
  /** Texts whose concatenation is the HTTP body: an envelope part, one for each message, one for the tools, … */
  readonly body: readonly string[];
  /**
   * Sends exactly `body`, again after transient failures as long as nothing was streamed. Ends with `finish`, or
   * throws ModelError (also when aborted, and when the stream was cut: then what came is partial).
   */
  send(signal: AbortSignal): AsyncIterable<ModelEvent>;
};

export interface ModelPort {
  readonly info: ModelInfo;
  /** How often the user lets a request be sent again; absent: as often as is usual. */
  readonly retries?: number;
  /** The server itself makes conversations shorter, when asked with `native`. */
  readonly compacts?: true;
  prepare(request: ModelRequest): PreparedRequest;
}
