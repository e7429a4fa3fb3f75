import type { PromptText } from './prompt-texts.ts';

/** Which conversation: a fresh one (default), the newest of this directory, one by id or unique prefix, a copy. */
export type SessionChoice =
  | { type: 'new' }
  | { type: 'continue' }
  | { type: 'resume'; id: string }
  | { type: 'fork'; id: string }
  /** Fresh, and no log is kept. */
  | { type: 'none' };

export type AgentOptions = {
  /** Default: the directory the program was started in. */
  cwd?: string;
  harness?: string;
  /** `provider/model`; with `baseUrl` the whole is the model's id. */
  model?: string;
  baseUrl?: string;
  wire?: string;
  effort?: string;
  /** The facet to begin with, or to go on in: of harnesses that have facets. */
  facet?: string;
  /** What is answered to a plan that is handed over: `new-context`, `current-context`; default: a person is asked. */
  handoff?: string;
  permissionMode?: string;
  /** Where neither this option nor the settings choose one; default: `read-only`. */
  defaultPermissionMode?: string;
  /**
   * Whoever uses the agent answers its `permission-request` and `question-request` events, until `stopAnswering`.
   * Default: nobody can be asked, and a call that needs a person ends the run.
   */
  answers?: boolean;
  /** What the project's settings run or widen is in force for this run. */
  trust?: boolean;
  /** Narrows the tools to these. */
  tools?: readonly string[];
  /** `KEY=VALUE`, dotted keys, as `-c` takes them. */
  config?: readonly string[];
  systemPrompt?: PromptText;
  appendSystemPrompts?: readonly PromptText[];
  /** Skills of this run alone, for harnesses with a scope for them; `path`: what the model is told to read. */
  skills?: readonly { name: string; description: string; path: string }[];
  session?: SessionChoice;
  /** Model requests in one turn; default: no limit but the harness's. */
  maxTurns?: number;
};
