export type { Command, ContextDifference, ContextReport, RunResult, StreamEvent } from '../model/index.ts';
export {
  type AgentOptions,
  type ContextAnswer,
  type ContextOptions,
  createNodeHost,
  type HostPorts,
  type PromptText,
  type SessionChoice,
} from '../runtime/index.ts';
export type { Agent } from './agent.ts';
export { createAgent } from './create-agent.ts';
export { compareContexts, previewContext } from './preview-context.ts';
