export type { Command, ContextDifference, ContextReport, RunResult, StreamEvent } from '../model/index.ts';
export {
  type AgentOptions,
  type AvailableModels,
  type ContextAnswer,
  type ContextOptions,
  createNodeHost,
  type DefinitionKind,
  type DoctorOptions,
  type DoctorReport,
  type Finding,
  HARNESS_CATALOGUE,
  HARNESSES,
  type HarnessEntry,
  type HostPorts,
  PROVIDERS,
  type PromptText,
  type RemovedSession,
  type SessionChoice,
  type SessionQuery,
  type SessionSummary,
  type SettingsFile,
  type SettingsReport,
  type ShippedTexts,
  type ShownSetting,
  type StartingFile,
  type StoredSessions,
  type TranscriptEntry,
  type TranscriptPiece,
  type Unconfirmed,
  type Validation,
} from '../runtime/index.ts';
export type { Agent } from './agent.ts';
export { createAgent } from './create-agent.ts';
export { shippedTexts, validateDefinition, writeStartingSet } from './definitions.ts';
export { availableModels, diagnoseMachine, reportSettings } from './diagnose-machine.ts';
export { openSessions } from './open-sessions.ts';
export { compareContexts, previewContext } from './preview-context.ts';
export { trustDirectory } from './trust-directory.ts';
