import type { Json, ModelInfo, Quirks } from '../../model/index.ts';

export type Field = readonly [name: string, value: Json];

type Style = { reasoning: ModelInfo['reasoning']; switch: Quirks['reasoning_switch'] };

/** Tokens for models that are given a number. */
const BUDGETS: Readonly<Record<string, number>> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 16_384,
  xhigh: 24_576,
  max: 32_768,
  ultra: 32_768,
};

/**
 * The fields that ask for so much thinking. A level goes out as it is where the model takes levels or nothing is known
 * of it; a model with a switch is switched off by `none` and `off` and on by any other word; one with a budget gets the
 * level's tokens, or the number that was given. Without an effort nothing is sent: the model's own default holds.
 */
export function encodeEffort(effort: string | undefined, style: Style): readonly Field[] {
  if (effort === undefined || style.reasoning === 'none') return [];
  const on = effort !== 'none' && effort !== 'off';
  if (style.reasoning === 'toggle') return switched(on, style);
  if (style.reasoning === 'budget') return on ? budgeted(tokensOf(effort), style) : switched(false, style);
  return style.switch === 'reasoning' ? [['reasoning', { effort }]] : [['reasoning_effort', effort]];
}

function tokensOf(effort: string): number {
  if (/^\d{1,9}$/.test(effort)) return Number(effort);
  return BUDGETS[effort.toLowerCase()] ?? 8192;
}

function switched(on: boolean, style: Style): readonly Field[] {
  switch (style.switch) {
    case 'plain':
      return [['thinking', { type: on ? 'enabled' : 'disabled' }]];
    case 'reasoning':
      return [['reasoning', { enabled: on }]];
    case 'enable_thinking':
      return [['enable_thinking', on]];
    case 'chat_template_kwargs':
      return [['chat_template_kwargs', { enable_thinking: on }]];
  }
}

function budgeted(tokens: number, style: Style): readonly Field[] {
  switch (style.switch) {
    case 'plain':
      return [['thinking', { type: 'enabled', budget_tokens: tokens }]];
    case 'reasoning':
      return [['reasoning', { max_tokens: tokens }]];
    case 'enable_thinking':
      return [
        ['enable_thinking', true],
        ['thinking_budget', tokens],
      ];
    case 'chat_template_kwargs':
      return [['chat_template_kwargs', { enable_thinking: true, thinking_budget: tokens }]];
  }
}

/** The word that switches the thinking of a model with a switch on, in the folded style. */
const ON = 'Thinking';

const FOLDED: Readonly<Record<string, string>> = {
  minimal: 'low',
  low: 'low',
  medium: 'medium',
  high: 'high',
  xhigh: 'high',
  max: 'high',
  ultra: 'high',
};

/** Three levels with `thinking` beside them; a model with a switch is told when it is off too (spec/kimi-cli.md 9). */
export function encodeFoldedEffort(effort: string | undefined, reasoning: ModelInfo['reasoning']): readonly Field[] {
  const thinking = (type: 'enabled' | 'disabled'): Field => ['thinking', { type }];
  if (effort === undefined || effort === 'none') return reasoning === 'toggle' ? [thinking('disabled')] : [];
  if (reasoning === 'toggle' && effort === ON) return [thinking('enabled')];
  return [['reasoning_effort', FOLDED[effort] ?? effort], thinking('enabled')];
}
