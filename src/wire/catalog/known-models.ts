import type { ModelSettings } from '../../model/index.ts';

type Facts = Pick<ModelSettings, 'context_window' | 'reasoning' | 'modalities'>;

const SEES = ['text', 'image'] as const;
const READS = ['text'] as const;

/**
 * By the beginning of the id, without a maker's name before it; the first that fits holds. Only what the makers state
 * and does not depend on the plan. As of 2026-11; what is missing is unknown, not refused.
 */
const MODELS: readonly (readonly [start: string, facts: Facts])[] = [
  ['gpt-oss', { context_window: 131_072, reasoning: 'effort', modalities: READS }],
  ['gpt-5', { context_window: 272_000, reasoning: 'effort', modalities: SEES }],
  ['gpt-4.1', { context_window: 1_047_576, reasoning: 'none', modalities: SEES }],
  ['gpt-4o', { context_window: 128_000, reasoning: 'none', modalities: SEES }],
  ['o3-mini', { context_window: 200_000, reasoning: 'effort', modalities: READS }],
  ['o3', { context_window: 200_000, reasoning: 'effort', modalities: SEES }],
  ['o4-mini', { context_window: 200_000, reasoning: 'effort', modalities: SEES }],
  ['claude-', { context_window: 200_000, modalities: SEES }],
  ['gemini-', { context_window: 1_048_576, modalities: SEES }],
  ['kimi-k2.', { context_window: 262_144, reasoning: 'toggle', modalities: SEES }],
  ['kimi-k2-thinking', { context_window: 262_144, modalities: READS }],
  ['deepseek-chat', { context_window: 131_072, reasoning: 'toggle', modalities: READS }],
  ['deepseek-reasoner', { context_window: 131_072, modalities: READS }],
  ['grok-4', { context_window: 256_000, modalities: SEES }],
];

/** What is known of a hosted model; empty: nothing. */
export function knownModel(id: string): Facts {
  const name = id.slice(id.lastIndexOf('/') + 1).toLowerCase();
  return MODELS.find(([start]) => name.startsWith(start))?.[1] ?? {};
}
