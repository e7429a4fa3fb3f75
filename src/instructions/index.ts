export { type ChainForm, type ChainState, chainDue, chainReminder, editedSince } from './chain-reminder.ts';
export { neutraliseClosingTags } from './closing-tag.ts';
export { type ContextSectionForm, contextSection } from './context-section.ts';
export { deliveryFold } from './delivery.ts';
export { estimateTokens, TOKEN_METHOD } from './estimate-tokens.ts';
export { checkLaid, joinLaid, type LaidItem, type LaidSpan, lay, layBetween, layoutText, spansOf } from './layout.ts';
export { fileId, filePiece, makePiece, shippedPiece } from './piece.ts';
export { filesOf, type PromptLayers, promptLayers } from './prompt-layers.ts';
