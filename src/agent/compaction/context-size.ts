import { conversationTokens, estimateTokens, layoutText } from '../../instructions/index.ts';
import type { ContextSize, Laid, ModelInfo, SessionState, ToolSpec, Usage } from '../../model/index.ts';

/** Kept free for the answer: what the model may write, at most this share of the window. */
const RESERVE_SHARE = 0.1;
const USUAL_OUTPUT = 8192;

export type NextRequest = {
  session: SessionState;
  model: ModelInfo | null;
  system: Laid;
  tools: readonly ToolSpec[];
};

/** Servers that count nothing say zero. */
function counted(usage: Usage | null): number {
  if (usage === null) return 0;
  const { input, cacheRead, cacheWrite, output } = usage;
  const read = input + cacheRead + cacheWrite;
  return read === 0 ? 0 : read + output;
}

function toolTokens(tools: readonly ToolSpec[]): number {
  return tools.reduce(
    (sum, { name, description, schema }) => sum + estimateTokens(name + description + JSON.stringify(schema)),
    0,
  );
}

/**
 * How full the window will be with the next request: what the provider counted for the last answer of this context, and
 * an estimate of what came since; where it counts nothing, an estimate of the whole.
 */
export function contextSize({ session, model, system, tools }: NextRequest): ContextSize {
  const window = model?.contextWindow ?? null;
  const output = model?.outputLimit ?? USUAL_OUTPUT;
  const reserve =
    window === null ? 0 : Math.floor(Math.min(output > 0 ? output : USUAL_OUTPUT, window * RESERVE_SHARE));
  const { history, usage } = session;
  const last = history.findLastIndex(({ role }) => role === 'assistant');
  const known = counted(usage.last);
  if (known > 0 && last >= 0) {
    return { tokens: known + conversationTokens(history.slice(last + 1)), source: 'usage', window, reserve };
  }
  const tokens = estimateTokens(layoutText(system)) + toolTokens(tools) + conversationTokens(history);
  return { tokens, source: 'estimate', window, reserve };
}
