export { callKey, canonicalArguments } from './call-key.ts';
export type { Command, CommandBody, CommandType, PromptPart } from './command.ts';
export type { CompactionSettings, ContextSize, CutPoint, SummaryRequest } from './compaction.ts';
export type {
  ContextDifference,
  ContextReport,
  PieceSpan,
  ReportedPiece,
  ReportedSearch,
} from './context-report.ts';
export type { FileObservation } from './file-observation.ts';
export type { Fold, FoldLookup } from './fold.ts';
export type { FrontMatter } from './front-matter.ts';
export type { FitImage, FittedImage, TakenImage } from './image.ts';
export type {
  Blob,
  BodyList,
  Checkpoint,
  ChoiceName,
  Event,
  EventBody,
  EventOf,
  EventType,
  Header,
  LogLine,
  Note,
  NoteBody,
  PieceLine,
  RequestEvent,
} from './log.ts';
export type { Message } from './message.ts';
export { ModelError, type ModelFault } from './model-error.ts';
export { type ModelInfo, modelName, takesImages } from './model-info.ts';
export type {
  ModelEvent,
  ModelPort,
  ModelRequest,
  PreparedRequest,
} from './model-port.ts';
export {
  type CallPart,
  isCall,
  isText,
  type MediaPart,
  type Part,
  type ProviderState,
  type ReasoningPart,
  type TextPart,
  textOf,
} from './part.ts';
export {
  formatPermissionRule,
  type PermissionRule,
  parsePermissionRule,
  RULE_KINDS,
  type RuleKind,
} from './permission-rule.ts';
export type {
  Laid,
  Layout,
  Origin,
  Piece,
  PieceKind,
  PieceRef,
  Placement,
  Scope,
  Trigger,
} from './piece.ts';
export {
  MODALITIES,
  type Modality,
  type ModelSettings,
  type ProviderSettings,
  type Quirks,
  REASONING_CONTROLS,
  type ReasoningControl,
} from './provider-settings.ts';
export {
  type Choices,
  type Delivery,
  type Folded,
  type SessionState,
  workingDirectory,
} from './session-state.ts';
export type { StopReason } from './stop-reason.ts';
export type {
  RunResult,
  StreamEvent,
  TransientEvent,
  TurnStop,
} from './stream-event.ts';
export {
  hasEnded,
  type Plan,
  type PlanEdit,
  type Task,
  type TaskDetail,
  type TaskProcess,
  type TaskState,
  type Todo,
} from './task.ts';
export type {
  RenderFault,
  RenderRequest,
  RenderResult,
  Segment,
  TemplateContext,
  TemplateFragment,
} from './template.ts';
export type {
  Call,
  Effect,
  JsonSchema,
  Subject,
  ToolFailure,
  ToolSpec,
} from './tool.ts';
export {
  type Batch,
  type Composition,
  type HarnessSettings,
  isNeeds,
  type Needs,
  type NoticeSettings,
  type PromptFlags,
  type Reminder,
  type RequestOptions,
  type Submission,
  type Turn,
} from './turn.ts';
export { addUsage, NO_USAGE, type Usage } from './usage.ts';
export { isWire, type Json, WIRES, type Wire, type WireShape } from './wire.ts';
export type {
  FoundFile,
  GitFacts,
  ListedDirectory,
  ListedEntry,
  Listing,
  Place,
  Refresh,
  Searched,
  SourceQuery,
  World,
  WorldLook,
} from './world.ts';
