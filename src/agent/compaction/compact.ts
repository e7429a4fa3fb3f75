import type { Compaction } from '../../harness/contract/index.ts';
import { conversationTokens } from '../../instructions/index.ts';
import type { ContextSize, CutPoint, EventOf, Laid, Turn } from '../../model/index.ts';
import { makeCheckpoint } from '../../session/index.ts';
import type { ApartScope } from './ask-apart.ts';
import { askState } from './ask-state.ts';
import { askSummary } from './ask-summary.ts';

export type CompactionRun = {
  turn: Turn;
  size: ContextSize;
  /** Of the requests of this turn. */
  system: Laid;
  why: EventOf<'compaction'>['why'];
  guidance: string | null;
};

type Cut = { cut: CutPoint; summary: Laid };
type Boundary = Pick<EventOf<'compaction'>, 'kind' | 'summary' | 'opaque' | 'keptFrom'>;

/**
 * Makes the conversation shorter: asks the server for a state that stands for it, where it has that, else for a summary
 * of its older part, and writes the boundary once that is there. What goes out anew is composed with the next request.
 * False: there was nothing to make shorter. Whatever goes wrong before the boundary leaves the conversation as it was;
 * throws ModelError.
 */
export async function compact(run: CompactionRun, scope: ApartScope): Promise<boolean> {
  const { compaction } = scope.parts.harness;
  const { turn, size, why } = run;
  if (compaction === undefined) return false;
  const first = compaction.cut(turn, size, why === 'overflow');
  if (first === null) return false;
  const { emit } = scope;
  emit({ type: 'compaction-start', why, tokens: size.tokens, window: size.window });
  let after: number | null = null;
  try {
    const native = why === 'provider' || why === 'overflow' ? null : await askState(run, scope);
    if (native !== null) writeBoundary({ kind: 'native', opaque: native, keptFrom: leafOf(scope) }, run, scope);
    else await compactLocally(compaction, first, run, scope);
    after = conversationTokens(scope.parts.log.state().history);
    return true;
  } finally {
    emit({ type: 'compaction-end', before: conversationTokens(turn.session.history), after });
  }
}

/** Makes this cut and no other: what comes before it is summed up. */
export async function compactLocally(
  compaction: Compaction,
  first: CutPoint,
  run: CompactionRun,
  scope: ApartScope,
): Promise<void> {
  const { cut, summary } = await summarise(compaction, first, run, scope);
  const layout = scope.parts.log.toLayout(summary);
  // Where nothing is kept the boundary follows the end of the conversation.
  const keptFrom = run.turn.session.history[cut.at]?.event ?? leafOf(scope);
  writeBoundary({ kind: 'text', summary: layout, keptFrom }, run, scope);
}

async function summarise(
  compaction: Compaction,
  first: CutPoint,
  { turn, size, guidance, why }: CompactionRun,
  scope: ApartScope,
): Promise<Cut> {
  const written = async (cut: CutPoint): Promise<Cut> => {
    const answers: string[] = [];
    for (const request of compaction.requests(turn, cut, guidance)) answers.push(await askSummary(request, scope));
    return { cut, summary: compaction.summary(turn, cut, answers) };
  };
  const whole = await written(first);
  const other = why === 'provider' ? null : (compaction.again?.(turn, first, whole.summary, size) ?? null);
  return other === null || other.at === first.at ? whole : await written(other);
}

function leafOf({ parts }: ApartScope): string {
  return parts.log.state().leaf ?? '';
}

function writeBoundary(boundary: Boundary, { why }: CompactionRun, { parts }: ApartScope): void {
  const { log } = parts;
  const state = log.state();
  log.append({
    type: 'compaction',
    ...boundary,
    why,
    todos: state.todos.filter(({ status }) => status !== 'done'),
    skills: [...state.delivery.skills],
    files: [...state.delivery.used],
    checkpoint: makeCheckpoint(state),
  });
}
