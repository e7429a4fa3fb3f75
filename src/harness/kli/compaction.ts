import {
  conversationTokens,
  estimateTokens,
  joinLaid,
  lay,
  layoutText,
  messageTokens,
  previousSummary,
  summaryPiece,
  summarySystem,
} from '../../instructions/index.ts';
import {
  type ContextSize,
  type CutPoint,
  isCall,
  type Laid,
  type Message,
  type SummaryRequest,
  type Turn,
} from '../../model/index.ts';
import type { Compaction } from '../contract/index.ts';
import { kliConversation } from './conversation-text.ts';
import prefixTask from './prompts/summary-prefix.md';
import system from './prompts/summary-system.md';
import task from './prompts/summary-task.md';
import update from './prompts/summary-update.md';

// spec/kli.md 18, by its paragraphs.
const THRESHOLD = 0.85;
const NO_HISTORY = 'No prior history.';
const SPLIT = '\n\n---\n\n**Turn Context (split turn):**\n\n';

/** 18.3: what stays, the room for the summary taken off. */
function keepTokens({ settings }: Turn, window: number | null): number {
  const own = settings.compaction?.keepTokens;
  return own ?? (window === null ? 20_000 : Math.min(50_000, Math.max(20_000, Math.floor(window * 0.05))));
}

function summaryReserve(window: number | null): number {
  return window === null || window <= 10_000 ? 0 : Math.min(8192, Math.max(1024, Math.floor(window * 0.01)));
}

function isCutPoint(message: Message | undefined): boolean {
  return message !== undefined && message.role !== 'tool';
}

/** The first message after the summary that the conversation begins with. */
function firstOf(history: readonly Message[]): number {
  const [first] = history;
  return first?.role === 'user' && first.from === 'summary' ? 1 : 0;
}

/** 18.4 and 18.6. */
function cutAt(history: readonly Message[], budget: number): number | null {
  let sum = 0;
  let reached = history.length;
  while (reached > 0 && (sum < budget || reached === history.length)) {
    reached -= 1;
    const message = history[reached];
    if (message !== undefined) sum += messageTokens(message);
  }
  if (sum < budget) return null;
  let at = reached;
  while (at < history.length && !isCutPoint(history[at])) at += 1;
  if (at === history.length) {
    at = reached;
    while (at > 0 && !isCutPoint(history[at])) at -= 1;
  }
  return at > firstOf(history) ? at : null;
}

/** 18.13: an answer whose calls all have results is kept neither in the summary nor word for word. */
function pastAnsweredCalls(history: readonly Message[], at: number): number {
  const message = history[at];
  if (message?.role !== 'assistant') return at;
  const calls = message.parts.filter(isCall);
  let end = at + 1;
  while (history[end]?.role === 'tool') end += 1;
  return calls.length > 0 && end - at - 1 === calls.length ? end : at;
}

function cutWith(turn: Turn, window: number | null, reserve: number): CutPoint | null {
  const { history } = turn.session;
  const until = cutAt(history, Math.max(0, keepTokens(turn, window) - reserve));
  return until === null ? null : { at: pastAnsweredCalls(history, until), until };
}

function isDue({ session, settings }: Turn, { window }: ContextSize): boolean {
  if (window === null || settings.compaction?.automatic === false) return false;
  return conversationTokens(session.history) / window >= (settings.compaction?.threshold ?? THRESHOLD);
}

/** 18.5: where the turn begins that the cut goes through; null: it goes through none. */
function splitTurn(history: readonly Message[], until: number): number | null {
  const message = history[until];
  if (message === undefined || message.role === 'user') return null;
  const start = history.findLastIndex(
    (each, index) => index < until && each.role === 'user' && each.from !== 'summary',
  );
  return start < 0 ? null : start;
}

type Parts = { older: readonly Message[]; prefix: readonly Message[] };

function partsOf({ session: { history } }: Turn, { at, until = at }: CutPoint): Parts {
  const start = splitTurn(history, until);
  const first = firstOf(history);
  return { older: history.slice(first, start ?? until), prefix: start === null ? [] : history.slice(start, until) };
}

function request(parts: readonly string[]): SummaryRequest {
  return { system: summarySystem(system), text: parts.join('\n\n') };
}

/** 18.9 to 18.12. */
function summaryRequests(turn: Turn, cut: CutPoint, guidance: string | null): readonly SummaryRequest[] {
  const { older, prefix } = partsOf(turn, cut);
  const earlier = previousSummary(turn.session.history);
  const focus = guidance === null ? '' : `\n\nAdditional focus: ${guidance.trim()}`;
  const requests: SummaryRequest[] = [];
  if (older.length > 0 || earlier !== null) {
    requests.push(
      request([
        kliConversation(older),
        ...(earlier === null ? [] : [`<previous-summary>\n${earlier}\n</previous-summary>`]),
        `${(earlier === null ? task : update).trim()}${focus}`,
      ]),
    );
  }
  if (prefix.length > 0) requests.push(request([kliConversation(prefix), `${prefixTask.trim()}${focus}`]));
  return requests;
}

function summaryMessage(turn: Turn, cut: CutPoint, answers: readonly string[]): Laid {
  const { prefix } = partsOf(turn, cut);
  const [first = NO_HISTORY, second] = prefix.length > 0 && answers.length === 1 ? [NO_HISTORY, ...answers] : answers;
  const piece = summaryPiece(second === undefined ? first : `${first}${SPLIT}${second}`, 'K43');
  return joinLaid('Summary of the conversation so far:\n\n', lay(piece, 'context-reset'));
}

/** 18.8: a summary that takes more room than was set aside for it moves the cut, once. */
function cutAgain(turn: Turn, { until }: CutPoint, summary: Laid, { window }: ContextSize): CutPoint | null {
  const tokens = estimateTokens(layoutText(summary));
  if (tokens <= summaryReserve(window)) return null;
  const other = cutWith(turn, window, tokens);
  return other === null || other.until === until ? null : other;
}

/** How kli makes conversations shorter (spec/kli.md 18). */
export const kliCompaction: Compaction = {
  moment: 'turn-end',
  due: isDue,
  // A request that was refused as too long keeps a quarter.
  cut: (turn, { window }, overflow) => {
    const reserve = summaryReserve(window);
    return cutWith(turn, window, overflow ? Math.floor(keepTokens(turn, window) * 0.75) : reserve);
  },
  requests: summaryRequests,
  summary: summaryMessage,
  again: cutAgain,
};
