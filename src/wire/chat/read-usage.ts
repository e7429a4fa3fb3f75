import { isRecord } from '../../base/index.ts';
import type { Usage } from '../../model/index.ts';

/**
 * A server's token counts in our terms; undefined where it says nothing. Reads the places that servers use for cached
 * tokens: `prompt_tokens_details.cached_tokens`, `prompt_cache_hit_tokens` (DeepSeek), `cached_tokens` (Moonshot).
 */
export function readUsage(value: unknown): Usage | undefined {
  if (!isRecord(value)) return undefined;
  const prompt = count(value.prompt_tokens);
  const completion = count(value.completion_tokens);
  if (prompt === undefined && completion === undefined) return undefined;
  const details = isRecord(value.prompt_tokens_details) ? value.prompt_tokens_details : {};
  const outputDetails = isRecord(value.completion_tokens_details) ? value.completion_tokens_details : {};
  const cacheRead =
    count(details.cached_tokens) ?? count(value.prompt_cache_hit_tokens) ?? count(value.cached_tokens) ?? 0;
  const cacheWrite = count(details.cache_write_tokens) ?? 0;
  const reasoning = count(outputDetails.reasoning_tokens) ?? 0;
  // xAI leaves reasoning out of completion_tokens; the total gives that away.
  const apart = reasoning > 0 && count(value.total_tokens) === (prompt ?? 0) + (completion ?? 0) + reasoning;
  return {
    input: Math.max(0, (prompt ?? 0) - cacheRead - cacheWrite),
    output: (completion ?? 0) + (apart ? reasoning : 0),
    cacheRead,
    cacheWrite,
    reasoning,
  };
}

function count(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? Math.floor(value) : undefined;
}
