export type { Unconfirmed } from '../config/index.ts';
export type { HostPorts } from '../host/index.ts';
export { createNodeHost } from '../host/node/index.ts';
export type { SessionSummary } from '../session/index.ts';
export { type Assembled, type AssembleMode, assemble } from './assemble.ts';
export type { AvailableModels } from './available-models.ts';
export { type ContextAnswer, type ContextOptions, differenceOf, readContext } from './context.ts';
export {
  type DefinitionKind,
  readShippedTexts,
  type ShippedTexts,
  type StartingFile,
  type Validation,
  validateDefinition,
  writeStartingSet,
} from './definitions.ts';
export { type DoctorOptions, type DoctorReport, diagnose, type Finding, findModels } from './diagnose.ts';
export { HARNESS_CATALOGUE, HARNESSES, type HarnessEntry, PROVIDERS } from './known-names.ts';
export type { AgentOptions, SessionChoice } from './options.ts';
export type { PromptText } from './prompt-texts.ts';
export {
  reportSettings,
  type SettingsFile,
  type SettingsReport,
  type ShownSetting,
} from './settings-report.ts';
export {
  type RemovedSession,
  type SessionQuery,
  type StoredSessions,
  storedSessions,
} from './stored-sessions.ts';
export type { TranscriptEntry, TranscriptPiece } from './transcript.ts';
export { trustDirectory } from './trust.ts';
export { PROGRAM } from './version.ts';
