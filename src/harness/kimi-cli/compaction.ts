import {
  clipTokens,
  estimateTokens,
  joinLaid,
  lay,
  makePiece,
  summaryPiece,
  summarySystem,
} from '../../instructions/index.ts';
import {
  type ContextSize,
  type CutPoint,
  isText,
  type Laid,
  type Message,
  type SummaryRequest,
  type Turn,
} from '../../model/index.ts';
import type { Compaction } from '../contract/index.ts';
import task from './prompts/compaction.md';
import system from './prompts/compaction-system.md';

// spec/kimi-cli.md 19.
const THRESHOLD = 0.85;
/** Tokens that must stay free; of a small window half. */
const RESERVE = 50_000;
/** Messages of the user and the model that stay word for word, with all that follows the first of them. */
const KEPT = 2;
/** Tokens that go into the request: this share of the window, or so many where that is unknown. */
const READ_SHARE = 0.6;
const READ_TOKENS = 100_000;
/** Of one message, where all together are too many. */
const LEAST_OF_ONE = 200;

const AFTER =
  '<system>The earlier context of this conversation was compacted. What follows was made of it. TaskList lists the background tasks that are still active.</system>';

function isDue({ settings }: Turn, { tokens, window }: ContextSize): boolean {
  if (window === null || tokens === 0 || settings.compaction?.automatic === false) return false;
  const threshold = settings.compaction?.threshold;
  if (threshold !== null && threshold !== undefined) return tokens >= window * threshold;
  return tokens >= window * THRESHOLD || tokens + Math.min(RESERVE, window / 2) >= window;
}

/** Null: fewer than two such messages, or nothing before them. */
function cutBefore({ session: { history } }: Turn, _size: ContextSize, overflow: boolean): CutPoint | null {
  // What was too long for a server keeps the last one only.
  let left = overflow ? 1 : KEPT;
  for (let at = history.length - 1; at > 0; at -= 1) {
    if (history[at]?.role !== 'tool') left -= 1;
    if (left === 0) return { at };
  }
  return null;
}

function textOf({ parts }: Message): string {
  return parts
    .filter(isText)
    .map(({ text }) => text)
    .join('\n');
}

/** Texts only: no pictures, no reasoning, no calls. Where they are too many, each gives up of its middle. */
function requestFor(turn: Turn, { at }: CutPoint, guidance: string | null): SummaryRequest {
  const older = turn.session.history.slice(0, at);
  const window = turn.model?.contextWindow ?? null;
  const most = window === null ? READ_TOKENS : Math.floor(window * READ_SHARE);
  const texts = older.map(textOf);
  const total = texts.reduce((sum, text) => sum + estimateTokens(text), 0);
  const share = Math.max(LEAST_OF_ONE, Math.floor(most / Math.max(1, texts.length)));
  const shown = total <= most ? texts : texts.map((text) => clipTokens(text, share));
  const messages = older.map(
    ({ role }, index) => `## Message ${index + 1}\nRole: ${role}\nContent:\n${shown[index] ?? ''}\n`,
  );
  const wish =
    guidance === null
      ? []
      : [
          `\nThe user asks for this in particular; it goes before the priorities above:\n${clipTokens(guidance.trim(), 2000)}`,
        ];
  return { system: summarySystem(system), text: [...messages, task.trim(), ...wish].join('\n') };
}

function summaryMessage(_turn: Turn, _cut: CutPoint, answers: readonly string[]): Laid {
  const intro = makePiece({
    id: 'compaction/intro',
    kind: 'guidance',
    origin: { type: 'shipped' },
    placement: 'history',
    rule: 'Says what the summary in this message stands for.',
    requirement: 'M72',
    text: AFTER,
  });
  const summary = summaryPiece(answers.join('\n\n').trim(), 'M71');
  return joinLaid(lay(intro, 'context-reset'), '\n', lay(summary, 'context-reset'));
}

/** How conversations are made shorter (spec/kimi-cli.md 19). */
export const kimiCompaction: Compaction = {
  moment: 'request',
  due: isDue,
  cut: cutBefore,
  requests: (turn, cut, guidance) => [requestFor(turn, cut, guidance)],
  summary: summaryMessage,
};
