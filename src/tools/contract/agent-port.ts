import type { Task, ToolFailure } from '../../model/index.ts';

export type AgentSpec = {
  /** The name of a definition. */
  agent: string;
  prompt: string;
  /** A few words for lists and notices. */
  description: string;
  /** It runs beside the conversation, and the model is told when it ends. */
  background: boolean;
  /** Absolute; default: the caller's working directory. */
  cwd?: string;
  /** `provider/model`, of the provider that the session uses; default: as the definition says. */
  model?: string;
  /** The id of an agent's task that has ended: the new run carries its conversation. */
  resumeFrom?: string;
  /** Milliseconds; null: none. */
  timeoutMs: number | null;
};

/** Other agents, each with a conversation of its own. */
export interface AgentPort {
  /** In the background: resolves when it runs; else when it has ended, with its result in the task's detail. */
  start(spec: AgentSpec): Promise<{ task: Task } | { error: ToolFailure }>;
  /** A word into its running work, at its next pause. */
  message(id: string, text: string): Promise<{ task: Task } | { error: ToolFailure }>;
}
