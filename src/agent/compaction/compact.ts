import type { Compaction } from '../../harness/contract/index.ts';
import { conversationTokens } from '../../instructions/index.ts';
import type { ContextSize, CutPoint, Laid, Turn } from '../../model/index.ts';
import { makeCheckpoint } from '../../session/index.ts';
import { askSummary, type SummaryScope } from './ask-summary.ts';

export type CompactionRun = {
  turn: Turn;
  size: ContextSize;
  why: 'threshold' | 'manual' | 'overflow';
  guidance: string | null;
};

type Cut = { cut: CutPoint; summary: Laid };

/**
 * Makes the conversation shorter: asks for a summary of its older part, and writes the boundary once the summary is
 * there. What goes out anew is composed with the next request. False: there was nothing to make shorter. Whatever goes
 * wrong before the boundary leaves the conversation as it was; throws ModelError.
 */
export async function compact(run: CompactionRun, scope: SummaryScope): Promise<boolean> {
  const { compaction } = scope.parts.harness;
  const { turn, size, why } = run;
  if (compaction === undefined) return false;
  const first = compaction.cut(turn, size, why === 'overflow');
  if (first === null) return false;
  const { emit } = scope;
  emit({ type: 'compaction-start', why, tokens: size.tokens, window: size.window });
  let after: number | null = null;
  try {
    const { cut, summary } = await summarise(compaction, first, run, scope);
    writeBoundary(cut, summary, run, scope);
    after = conversationTokens(scope.parts.log.state().history);
    return true;
  } finally {
    emit({ type: 'compaction-end', before: conversationTokens(turn.session.history), after });
  }
}

async function summarise(
  compaction: Compaction,
  first: CutPoint,
  { turn, size, guidance }: CompactionRun,
  scope: SummaryScope,
): Promise<Cut> {
  const written = async (cut: CutPoint): Promise<Cut> => {
    const answers: string[] = [];
    for (const request of compaction.requests(turn, cut, guidance)) answers.push(await askSummary(request, scope));
    return { cut, summary: compaction.summary(turn, cut, answers) };
  };
  const whole = await written(first);
  const other = compaction.again?.(turn, first, whole.summary, size) ?? null;
  return other === null || other.at === first.at ? whole : await written(other);
}

function writeBoundary({ at }: CutPoint, summary: Laid, { turn, why }: CompactionRun, { parts }: SummaryScope): void {
  const { log } = parts;
  const layout = log.toLayout(summary);
  const state = log.state();
  log.append({
    type: 'compaction',
    kind: 'text',
    why,
    summary: layout,
    // Where nothing is kept the boundary follows the end of the conversation.
    keptFrom: turn.session.history[at]?.event ?? state.leaf ?? '',
    todos: state.todos.filter(({ status }) => status !== 'done'),
    skills: [...state.delivery.skills],
    files: [...state.delivery.used],
    checkpoint: makeCheckpoint(state),
  });
}
