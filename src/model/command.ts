import type { MediaPart, TextPart } from './part.ts';

/** What a person may send beside text. A picture is given by its bytes, by its file, or as one the session holds. */
export type PromptPart = TextPart | MediaPart | { type: 'media'; base64: string } | { type: 'media'; path: string };

/** What front ends may ask for. `tag` comes back on what the command causes. */
export type Command = { tag?: string } & CommandBody;

export type CommandBody =
  | { type: 'prompt'; text: string; parts?: PromptPart[] }
  /** `to`: the task of a running agent instead of this conversation. */
  | { type: 'steer'; text: string; to?: string }
  | { type: 'abort' }
  | { type: 'answer'; id: string; value: unknown; feedback?: string }
  | { type: 'facet' | 'model' | 'effort' | 'permission-mode'; to: string }
  | { type: 'harness'; to: string; new?: boolean }
  | { type: 'tools'; allow?: string[]; deny?: string[] }
  | { type: 'compact'; guidance?: string }
  /** `plan`: the plan goes with it; else it is left behind. */
  | { type: 'clear'; plan?: boolean }
  /** Enters a directory: it goes on top of the stack, and is the working directory until `popd`. */
  | { type: 'pushd'; path: string }
  | { type: 'popd' }
  | { type: 'reload' }
  | { type: 'rewind'; to: string }
  | { type: 'fork'; at?: string }
  | { type: 'title'; text: string }
  /** Views: tasks, the agents that can be started and those that were, the todo list. */
  | { type: 'jobs' | 'subagents' | 'tasks' }
  /** Ends a task. */
  | { type: 'stop'; id: string }
  | { type: 'end' };

export type CommandType = CommandBody['type'];
