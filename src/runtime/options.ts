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
  permissionMode?: string;
  /** Narrows the tools to these. */
  tools?: readonly string[];
  /** `KEY=VALUE`, dotted keys, as `-c` takes them. */
  config?: readonly string[];
  systemPrompt?: PromptText;
  appendSystemPrompts?: readonly PromptText[];
  session?: SessionChoice;
  /** Model requests in one turn; default: no limit but the harness's. */
  maxTurns?: number;
};
