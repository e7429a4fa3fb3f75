import type { Diagnostic } from '../base/index.ts';
import type { FileObservation } from './file-observation.ts';
import type { Part, ProviderState } from './part.ts';
import type { Layout, Piece, PieceRef } from './piece.ts';
import type { StopReason } from './stop-reason.ts';
import type { PlanEdit, TaskDetail, TaskState, Todo } from './task.ts';
import type { Usage } from './usage.ts';
import type { Json, Wire } from './wire.ts';

/** Line 1 of a session file. `time` here and below: RFC 3339. */
export type Header = {
  type: 'session';
  version: 1;
  program: string;
  id: string;
  time: string;
  cwd: string;
  projectRoot: string | null;
  kind: 'main' | 'subagent';
  /** Of a subagent: the session and the task that it works for, and the name of its definition. */
  spawnedBy: { session: string; run: string; agent: string } | null;
  forkedFrom: { session: string; event: string } | null;
};

/** A text or a medium, each stored once and named by its hash. */
export type Blob =
  | { type: 'blob'; sha256: string; text: string }
  | { type: 'media'; sha256: string; mime: string; base64: string };

export type PieceLine = {
  type: 'piece';
  ref: PieceRef;
  piece: Omit<Piece, 'text'>;
};

/** Branch-scoped: events form the tree. */
export type Event = {
  id: string;
  parentId: string | null;
  time: string;
} & EventBody;

/** Session-scoped: a note never moves the leaf and survives a rewind. */
export type Note = { id: string; time: string } & NoteBody;

export type LogLine = Header | Blob | PieceLine | Event | Note;

/**
 * The folded state at a boundary, history left out, by the name of the fold. `sha256`: of the folds as stable JSON; a
 * checkpoint that is not what it says is not relied on.
 */
export type Checkpoint = { folds: Record<string, unknown>; sha256?: string };

/** Blobs whose concatenation is the HTTP body; `{ of, at }` is a slice [from, to) of an earlier request's list. */
export type BodyList = (string | { of: string; at: [number, number] })[];

/** One choice that holds from here on; who made it. */
export type ChoiceName = 'facet' | 'model' | 'effort' | 'wire' | 'harness' | 'permission-mode';

export type EventBody =
  | {
      type: 'prompt';
      text: string;
      typed?: string;
      parts?: Part[];
      from: 'user' | 'queue' | 'steer' | 'parent';
    }
  | {
      type: 'reminder';
      reason: string;
      /** Exactly once, by fold. */
      key?: string;
      /** Never merged with its neighbours. */
      alone?: true;
      layout: Layout;
      omitted?: { piece: PieceRef; why: string }[];
    }
  | { type: 'chain'; paths: string[] }
  | { type: 'tools'; allow?: string[]; deny?: string[] }
  | { type: 'plan-mode'; on: boolean; file: string; by: 'user' | 'model' }
  | { type: 'media-dropped'; sha256: string[]; why: string }
  | { type: 'pin'; name: string; value: string }
  | {
      type: 'request';
      purpose: 'turn' | 'compaction' | 'other';
      harness: string;
      wire: Wire;
      provider: string;
      model: string;
      effort?: string;
      system: Layout;
      tools: { name: string; description: Layout }[];
      body: BodyList;
      /** Of the whole body. */
      sha256: string;
    }
  | {
      type: 'assistant';
      request: string;
      parts: Part[];
      stop: StopReason;
      usage: Usage;
      partial?: true;
      opaque?: ProviderState;
    }
  | {
      type: 'tool-result';
      call: { assistant: string; id: string };
      tool: string;
      parts: Part[];
      status: 'ok' | 'error' | 'denied' | 'aborted';
      observed: FileObservation[];
      spill?: string;
    }
  | {
      type: ChoiceName;
      from: string | null;
      to: string;
      by: 'user' | 'model' | 'handoff' | 'flag';
    }
  /** The plan after the change. `path`: '' where the session has no directory. `edits`: what an edit replaced. */
  | { type: 'plan'; op: 'write' | 'edit'; path: string; text: string; edits?: PlanEdit[] }
  | { type: 'todos'; items: Todo[] }
  | { type: 'directory'; stack: string[] }
  | { type: 'context-patch'; patches: unknown[] }
  | {
      type: 'clear';
      facet: string | null;
      plan: string | null;
      checkpoint: Checkpoint;
    }
  | {
      type: 'compaction';
      kind: 'text' | 'native';
      /** 'provider': the state of another provider cannot go on with this one. */
      why: 'threshold' | 'manual' | 'overflow' | 'provider';
      summary?: Layout;
      opaque?: ProviderState;
      keptFrom: string;
      todos: Todo[];
      skills: string[];
      files: string[];
      checkpoint: Checkpoint;
    }
  /** What a subagent gave to its caller: the end of its work. */
  | { type: 'agent-result'; value: Json }
  /** Tasks whose end the model learnt from the result of a call. */
  | { type: 'task-told'; tasks: string[] }
  | { type: 'rewind'; to: string | null }
  | { type: 'turn-end'; stop: StopReason };

export type NoteBody =
  | { type: 'task'; task: string; state: TaskState; detail: TaskDetail }
  | {
      type: 'subagent';
      run: string;
      session: string;
      agent: string;
      state: TaskState;
    }
  | { type: 'grant'; rule: string; for: 'session' }
  | {
      type: 'decision';
      call: { assistant: string; id: string };
      decision: string;
      feedback?: string;
    }
  | { type: 'notice'; diagnostic: Diagnostic }
  | { type: 'title' | 'label'; text: string; at?: string };

export type EventType = EventBody['type'];
export type EventOf<T extends EventType> = Extract<Event, { type: T }>;
export type RequestEvent = EventOf<'request'>;
