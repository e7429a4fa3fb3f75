export type { Command, ContextDifference, ContextReport, RunResult, StreamEvent } from '../model/index.ts';
export {
  type AgentOptions,
  type ContextAnswer,
  type ContextOptions,
  createNodeHost,
  type DoctorOptions,
  type DoctorReport,
  type Finding,
  HARNESSES,
  type HostPorts,
  PROVIDERS,
  type PromptText,
  type SessionChoice,
  type SettingsFile,
  type SettingsReport,
  type ShownSetting,
} from '../runtime/index.ts';
export type { Agent } from './agent.ts';
export { createAgent } from './create-agent.ts';
export { diagnoseMachine, reportSettings } from './diagnose-machine.ts';
export { compareContexts, previewContext } from './preview-context.ts';
