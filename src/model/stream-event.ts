import type { Diagnostic } from '../base/index.ts';
import type { LogLine } from './log.ts';
import type { StopReason } from './stop-reason.ts';
import type { Usage } from './usage.ts';

/** Shown as it happens, never logged. */
export type TransientEvent =
  | { type: 'text-start' | 'text-end' | 'reasoning-start' | 'reasoning-end' }
  | { type: 'text-delta' | 'reasoning-delta'; text: string }
  | { type: 'tool-input-start'; id: string; name: string }
  | { type: 'tool-input-delta'; id: string; text: string }
  | { type: 'tool-input-end'; id: string; name: string }
  | { type: 'tool-output-delta'; id: string; text: string }
  | { type: 'retry-wait'; attempt: number; delayMs: number; why: string }
  /** Tokens, as far as they are known. `window`: null where it is not. */
  | {
      type: 'compaction-start';
      why: 'threshold' | 'manual' | 'overflow' | 'provider';
      tokens: number;
      window: number | null;
    }
  /** `after`: null where the conversation stayed as it was. */
  | { type: 'compaction-end'; before: number; after: number | null }
  | { type: 'queue-change'; queued: readonly string[] }
  | {
      /** Answered with `allow`, `allow-session` (the rules are granted until the session ends) or `deny`. */
      type: 'permission-request';
      id: string;
      tool: string;
      /** What the call touches, a line each: `write /p/a.js`, `run npm test`, `connect example.org`. */
      subjects: readonly string[];
      why: string;
      /** Empty: this can be allowed once only. */
      rules: readonly string[];
    }
  | {
      /** Answered with an option's label or any other text; with `multiple` with a list of them. */
      type: 'question-request';
      id: string;
      question: string;
      options?: readonly { label: string; description?: string }[];
      multiple?: true;
    }
  | {
      /** A plan is handed over. Answered with `new-context`, `current-context`, `refuse` (with feedback) or `cancel`. */
      type: 'handoff-request';
      id: string;
      plan: string;
      /** Absolute; null: the session keeps no files. */
      path: string | null;
      /** In which it would be carried out. */
      facet: string;
      decisions: readonly string[];
    }
  /** Nothing else is left to do: the run waits, so many milliseconds at most, for what tells when it ends. */
  | { type: 'task-wait'; tasks: readonly { id: string; description: string }[]; limitMs: number }
  | { type: 'diagnostic'; diagnostic: Diagnostic }
  | { type: 'done'; tag?: string; value?: Record<string, unknown> }
  | { type: 'error'; tag?: string; code: string; message: string };

/**
 * What every front end reads: the log's lines as they are appended, and the transient events. `subagent`: the task of
 * the agent in whose session it happened.
 */
export type StreamEvent = { tag?: string; subagent?: string } & (LogLine | TransientEvent);

/** How a run ended: the object that print mode's JSON outputs close with. */
export type RunResult = {
  type: 'result';
  sessionId: string | null;
  harness: string;
  model: string | null;
  stopReason: 'end' | 'max_turns' | 'aborted' | 'error' | 'permission';
  result: string;
  turns: number;
  usage: Usage;
  cost: number | null;
  error: { kind: string; message: string } | null;
};

export type TurnStop = Extract<StopReason, 'end' | 'max-turns' | 'aborted' | 'error' | 'permission'>;
