import {
  CONVERSATION_TAG,
  clipTokens,
  conversationText,
  cutPoint,
  estimateTokens,
  guidancePiece,
  inTag,
  lay,
  neutraliseClosingTags,
  previousSummary,
  saidTokens,
  summaryPiece,
  summarySystem,
} from '../../instructions/index.ts';
import type { ContextSize, CutPoint, Laid, SummaryRequest, Turn } from '../../model/index.ts';
import type { Compaction } from '../contract/index.ts';
import type { FacetedForm } from './form.ts';
import { activeFacet } from './inventory.ts';
import intro from './prompts/summary-intro.md';
import system from './prompts/summary-system.md';
import task from './prompts/summary-task.md';
import update from './prompts/summary-update.md';

/** Share of the window from which a conversation is made shorter unasked (spec/polytoken.md 10.2.2). */
const THRESHOLD = 0.85;
/** Tokens that stay word for word where the window is unknown or large. */
const KEEP_TOKENS = 20_000;
/** At most this share of the window stays word for word; after an overflow this share of that. */
const KEEP_SHARE = 0.2;
const KEEP_AFTER_OVERFLOW = 0.25;
/** Tokens that go into one request for a summary: this share of the window, or so many where that is unknown. */
const READ_SHARE = 0.5;
const READ_TOKENS = 100_000;
/** Of those at most these shares for the earlier summary, the facet's hint and the user's wish; the rest is conversation. */
const EARLIER_SHARE = 0.4;
const HINT_SHARE = 0.1;
const GUIDANCE_SHARE = 0.2;
const EARLIER_TAG = 'earlier-summary';

function isDue({ settings }: Turn, { tokens, window, reserve }: ContextSize): boolean {
  if (window === null || settings.compaction?.automatic === false) return false;
  const share = settings.compaction?.threshold ?? THRESHOLD;
  return tokens >= Math.min(window * share, window - reserve);
}

/** Half of the conversation goes at least: who asks for a shorter one is not told that it fits. */
function cutBefore({ session, settings }: Turn, { window }: ContextSize, overflow: boolean): CutPoint | null {
  const most = settings.compaction?.keepTokens ?? KEEP_TOKENS;
  const ofWindow = window === null ? most : Math.min(most, Math.floor(window * KEEP_SHARE));
  const half = Math.floor(saidTokens(session.history) / 2);
  const keep = Math.min(ofWindow, half);
  return cutPoint(session.history, overflow ? Math.floor(keep * KEEP_AFTER_OVERFLOW) : keep);
}

/** What goes before the conversation and after it, each within its share of the request. */
function aroundConversation(
  form: FacetedForm,
  turn: Turn,
  { earlier, guidance, most }: { earlier: string | null; guidance: string | null; most: number },
): { before: string[]; after: string[] } {
  const hint = activeFacet(form, turn)?.keys.compactionHint ?? null;
  const share = (text: string, of: number): string => clipTokens(text.trim(), Math.floor(most * of));
  const framedEarlier = (text: string): string =>
    `<${EARLIER_TAG}>\n${neutraliseClosingTags(share(text, EARLIER_SHARE), [EARLIER_TAG]).text}\n</${EARLIER_TAG}>`;
  return {
    before: earlier === null ? [] : [framedEarlier(earlier)],
    after: [
      (earlier === null ? task : update).trim(),
      ...(hint === null ? [] : [`For this kind of work: ${share(hint, HINT_SHARE)}`]),
      ...(guidance === null ? [] : [`The user asks of this summary: ${share(guidance, GUIDANCE_SHARE)}`]),
    ],
  };
}

/** One request, whole within its share of the window: what else is asked leaves less room for the conversation. */
function summaryRequest(form: FacetedForm, turn: Turn, { at }: CutPoint, guidance: string | null): SummaryRequest {
  const older = turn.session.history.slice(0, at);
  const window = turn.model?.contextWindow ?? null;
  const most = window === null ? READ_TOKENS : Math.floor(window * READ_SHARE);
  const { before, after } = aroundConversation(form, turn, { earlier: previousSummary(older), guidance, most });
  const frame = [...before, `<${CONVERSATION_TAG}>\n\n</${CONVERSATION_TAG}>`, ...after].join('\n\n');
  const text = conversationText(older, Math.max(0, most - estimateTokens(frame)));
  const parts = [...before, `<${CONVERSATION_TAG}>\n${text}\n</${CONVERSATION_TAG}>`, ...after];
  return { system: summarySystem(system), text: parts.join('\n\n') };
}

function summaryMessage({ tag }: FacetedForm['chain'], answers: readonly string[]): Laid {
  const { text } = neutraliseClosingTags(answers.join('\n\n').trim(), [tag]);
  const introPiece = guidancePiece('compaction/intro', 'Says what the summary in this message stands for.', intro);
  const summary = summaryPiece(text, 'P48');
  return inTag(tag, lay(introPiece, 'context-reset'), '\n\n', lay(summary, 'context-reset'), '\n');
}

/** How conversations are made shorter where instructions live in the history (seed 004). */
export function facetedCompaction(form: FacetedForm): Compaction {
  return {
    moment: 'request',
    due: isDue,
    cut: cutBefore,
    requests: (turn, cut, guidance) => [summaryRequest(form, turn, cut, guidance)],
    summary: (_turn, _cut, answers) => summaryMessage(form.chain, answers),
  };
}
