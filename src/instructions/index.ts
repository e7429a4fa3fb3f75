export { contextSection, type ContextSectionForm } from './context-section.ts';
export { deliveryFold } from './delivery.ts';
export { estimateTokens, TOKEN_METHOD } from './estimate-tokens.ts';
export { checkLaid, joinLaid, type LaidItem, type LaidSpan, lay, layBetween, layoutText, spansOf } from './layout.ts';
export { fileId, filePiece, makePiece, shippedPiece } from './piece.ts';
