export type { Compaction } from './compaction.ts';
export {
  type DefinitionRules,
  type EndedTask,
  type Expansion,
  type FacetList,
  type FacetSummary,
  type FacetView,
  type GitSnapshot,
  HARNESS_EXECUTOR,
  type Harness,
  type Invocation,
  type ModelWish,
  type Reminders,
  type SourcesRequest,
  type SubagentSummary,
  type Subagents,
} from './harness.ts';
export type { TemplatePort } from './template-port.ts';
export type { WorldPort } from './world-port.ts';
