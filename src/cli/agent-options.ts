import { UsageError } from '../base/index.ts';
import type { AgentOptions, PromptText, SessionChoice } from '../sdk/index.ts';
import type { GivenOption } from './command-line.ts';
import { allValues, isGiven, lastValue, refuseTogether, wholeNumber } from './given-options.ts';

/** The options that a run and a preview share, as the sdk takes them. Throws UsageError for what excludes another. */
export function agentOptions(options: readonly GivenOption[]): AgentOptions {
  refuseTogether(options, ['system-prompt', 'system-prompt-file']);
  refuseTogether(options, ['continue', 'resume', 'fork', 'no-session']);
  const words = {
    cwd: lastValue(options, 'cwd'),
    harness: lastValue(options, 'harness'),
    model: lastValue(options, 'model'),
    baseUrl: lastValue(options, 'base-url'),
    wire: lastValue(options, 'wire'),
    effort: lastValue(options, 'effort'),
    facet: lastValue(options, 'facet'),
    handoff: lastValue(options, 'handoff'),
    permissionMode: lastValue(options, 'permission-mode'),
  };
  const config = allValues(options, 'config');
  const tools = lastValue(options, 'tools');
  const systemPrompt = promptTexts(options, 'system-prompt').at(-1);
  const appendSystemPrompts = promptTexts(options, 'append-system-prompt');
  const session = sessionChoice(options);
  const maxTurns = wholeNumber(options, 'max-turns', 1, Number.MAX_SAFE_INTEGER);
  return {
    ...given(words),
    ...(config.length === 0 ? {} : { config }),
    ...(tools === null ? {} : { tools: toolNames(tools) }),
    ...(systemPrompt === undefined ? {} : { systemPrompt }),
    ...(appendSystemPrompts.length === 0 ? {} : { appendSystemPrompts }),
    ...(session === null ? {} : { session }),
    ...(maxTurns === null ? {} : { maxTurns }),
    ...(isGiven(options, 'trust') ? { trust: true } : {}),
  };
}

/** Without the fields that are null. Throws UsageError for one that is empty: no option means "unset". */
function given<T extends Record<string, string | null>>(words: T): { [K in keyof T]?: string } {
  const kept: { [K in keyof T]?: string } = {};
  for (const [name, value] of Object.entries(words) as [keyof T & string, string | null][]) {
    if (value === null) continue;
    if (value === '') throw new UsageError('usage/empty-value', `--${optionName(name)} is empty`);
    kept[name] = value;
  }
  return kept;
}

function optionName(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function toolNames(list: string): readonly string[] {
  return list
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** The texts and files of an option and its `-file` form, in the order in which they were given. */
function promptTexts(options: readonly GivenOption[], name: string): PromptText[] {
  return options
    .filter((option) => option.name === name || option.name === `${name}-file`)
    .map((option) => (option.name === name ? { text: option.value ?? '' } : { file: option.value ?? '' }));
}

function sessionChoice(options: readonly GivenOption[]): SessionChoice | null {
  if (isGiven(options, 'no-session')) return { type: 'none' };
  if (isGiven(options, 'continue')) return { type: 'continue' };
  const resume = lastValue(options, 'resume');
  if (resume !== null) return { type: 'resume', id: resume };
  const fork = lastValue(options, 'fork');
  return fork === null ? null : { type: 'fork', id: fork };
}
