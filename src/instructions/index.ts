export { type Budgeted, budgetLeafFirst } from './budget-leaf-first.ts';
export { type ChainForm, type ChainState, chainDue, chainReminder, editedSince } from './chain-reminder.ts';
export { neutraliseClosingTags } from './closing-tag.ts';
export { clipTokens } from './compaction/clip-tokens.ts';
export {
  CONVERSATION_TAG,
  conversationText,
  previousSummary,
} from './compaction/conversation-text.ts';
export { cutPoint, saidTokens } from './compaction/cut-point.ts';
export { isSaid } from './compaction/is-said.ts';
export { conversationTokens, messageTokens } from './compaction/message-tokens.ts';
export { summaryPiece, summarySystem } from './compaction/summary-pieces.ts';
export { compareReports } from './compare-reports.ts';
export { type ContextSectionForm, contextSection } from './context-section.ts';
export { deliveryFold, NOTHING_DELIVERED } from './delivery.ts';
export { estimateTokens } from './estimate-tokens.ts';
export type { Definition, FacetRules, RoleKeys, ShippedDefinition } from './facets/definition.ts';
export type { Facet, FacetKeys, FacetTransition } from './facets/facet.ts';
export { type Background, facetColour } from './facets/facet-colour.ts';
export { transition, unknownFacet } from './facets/find-facet.ts';
export { modelWish } from './facets/model-wish.ts';
export { type NamedTool, offersTool } from './facets/offers-tool.ts';
export { checkFacet, readFacets } from './facets/read-facets.ts';
export { fileQuery } from './file-query.ts';
export { type FileReason, fileReminder, reloadReminder } from './file-reminder.ts';
export { withoutFinalNewlines } from './final-newlines.ts';
export { type KimiTemplate, renderKimiTemplate, type TemplateBlock } from './kimi-template.ts';
export {
  checkLaid,
  inTag,
  joinLaid,
  type LaidItem,
  type LaidSpan,
  lay,
  layBetween,
  layoutText,
  spansOf,
} from './layout.ts';
export { renderListing } from './listing.ts';
export { type NoticeForm, programNotices } from './notices/program-notices.ts';
export { filePiece, guidancePiece, makePiece, shippedPiece } from './piece.ts';
export { type PlanForm, planReminder } from './plan/plan-reminder.ts';
export { filesOf, type PromptLayers, promptLayers } from './prompt-layers.ts';
export {
  type AgainForm,
  pathsReminder,
  recentReminder,
  skillsReminder,
  todosReminder,
} from './redelivery/again-reminders.ts';
export { rootFile, selectBodies } from './redelivery/select-bodies.ts';
export {
  type EmbeddedBody,
  type EmbeddedReferences,
  embedReferences,
} from './references/embed-references.ts';
export { type FollowedLinks, followLinks, type LinkContainer } from './references/follow-links.ts';
export type { ReferenceRules, ReferrerScope } from './references/reference-rules.ts';
export {
  type NameReference,
  type Reference,
  scanSkillReferences,
  scanSubagentReferences,
} from './references/scan-references.ts';
export type { FileWords, ReminderBody } from './reminder-body.ts';
export { type ReportInput, reportContext } from './report-context.ts';
export { accessibleSkills, unknownSkill, visibleSkills } from './skills/accessible-skills.ts';
export { allowedToolsOf, unknownAllowedTools } from './skills/allowed-tools.ts';
export { chainSkills } from './skills/chain-skills.ts';
export { checkSkill, readSkills } from './skills/read-skills.ts';
export type { Skill, SkillRules } from './skills/skill.ts';
export { type InvokedSkill, skillLayout } from './skills/skill-layout.ts';
export { skillList } from './skills/skill-list.ts';
export { unmatchedSkillRules } from './skills/unmatched-skill-rules.ts';
export { checkSubagent, readSubagents } from './subagents/read-subagents.ts';
export type { Subagent, SubagentKeys } from './subagents/subagent.ts';
export { subagentList } from './subagents/subagent-list.ts';
export { subagentReference, unknownSubagent } from './subagents/subagent-reference.ts';
export { MAX_DEPTH, MAX_OUTPUT_BYTES, MAX_SPLICES } from './template/bounds.ts';
export { engineFault, missingFragmentFault, type SpliceFailure, spliceFault } from './template/engine-fault.ts';
export { type EngineMessage, readEngineMessage, undefinedPaths } from './template/engine-message.ts';
export { forgiveField } from './template/lenient-fields.ts';
export { chooseMarks, readMarks } from './template/marked-text.ts';
export { renderTemplate } from './template/render-template.ts';
export { resolveTarget, type Target } from './template/resolve-target.ts';
export { isTooLong, mergeSegments } from './template/segments.ts';
export { writtenTargets } from './template/transclude-calls.ts';
export { discovered, type TouchedView, touchedQueries } from './touched-directories.ts';
