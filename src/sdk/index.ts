export type { Agent } from './agent.ts';
export type { ContextAnswer, ContextOptions } from './context.ts';
export { createAgent } from './create-agent.ts';
export { compareContexts, previewContext } from './preview-context.ts';
export type { AgentOptions, PromptText, SessionChoice } from '../runtime/index.ts';
